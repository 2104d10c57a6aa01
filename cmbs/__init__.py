"""CMBS, a belief server whose kernel is PostgreSQL, and the same kernel inside a Python process."""

from typing import TYPE_CHECKING

from cmbs import stores
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
from cmbs.belief_state import BeliefState
from cmbs.core import (
    CMBSCore,
    EliminationEvent,
    ObligationExitResult,
    ProbeResult,
    TerminationResult,
)
from cmbs.spi import (
    EliminationProvenance,
    EliminationResult,
    EliminationStore,
    HypothesisProvider,
    RecoveredState,
    discover_providers,
)
from cmbs.stores import InMemoryStore

if TYPE_CHECKING:
    from cmbs.stores import PostgresStore, TeeStore

__version__ = "0.1.0"

__all__ = [
    "AuditEntry",
    "BeliefServer",
    "BeliefServerError",
    "BeliefSnapshot",
    "BeliefState",
    "CMBSCore",
    "EliminationEvent",
    "EliminationProvenance",
    "EliminationResult",
    "EliminationStore",
    "HypothesisProvider",
    "InMemoryStore",
    "LegacyEliminationEvent",
    "LegacyReplayAdapter",
    "ObligationExitResult",
    "OntologyBundle",
    "PostgresStore",
    "ProbeResult",
    "RecoveredState",
    "TeeStore",
    "TerminationResult",
    "discover_providers",
    "submit_legacy_elimination",
]


# Whoever checks types is not to take a misspelt name for this.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """What needs a driver is imported when it is first named."""
        if name not in ("PostgresStore", "TeeStore"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(stores, name)

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
