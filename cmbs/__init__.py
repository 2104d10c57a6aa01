"""CMBS, a belief server whose kernel is PostgreSQL, and the same kernel inside a Python process."""

from cmbs.adapters.legacy import (
    LegacyEliminationEvent,
    LegacyReplayAdapter,
    submit_legacy_elimination,
)
from cmbs.belief_server import (
    AuditEntry,
    BeliefServer,
    BeliefServerError,
    BeliefSnapshot,
    OntologyBundle,
)
from cmbs.core import (
    CMBSCore,
    EliminationEvent,
    ObligationExitResult,
    ProbeResult,
    TerminationResult,
)
from cmbs.spi.elimination_store import (
    EliminationProvenance,
    EliminationResult,
    EliminationStore,
    RecoveredState,
)
from cmbs.spi.hypothesis_provider import HypothesisProvider

__version__ = "0.1.0"

__all__ = [
    "AuditEntry",
    "BeliefServer",
    "BeliefServerError",
    "BeliefSnapshot",
    "CMBSCore",
    "EliminationEvent",
    "EliminationProvenance",
    "EliminationResult",
    "EliminationStore",
    "HypothesisProvider",
    "LegacyEliminationEvent",
    "LegacyReplayAdapter",
    "ObligationExitResult",
    "OntologyBundle",
    "ProbeResult",
    "RecoveredState",
    "TerminationResult",
    "submit_legacy_elimination",
]
