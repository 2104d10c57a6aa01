"""The belief server inside this process: the verbs of the protocol over sessions in memory."""

from cmbs.kernel.belief_server import (
    AuditEntry,
    AuditLog,
    BeliefServer,
    BeliefServerError,
    BeliefSnapshot,
    OntologyBundle,
)

__all__ = [
    "AuditEntry",
    "AuditLog",
    "BeliefServer",
    "BeliefServerError",
    "BeliefSnapshot",
    "OntologyBundle",
]
