"""CMBS, a belief server whose kernel is PostgreSQL, and the same kernel inside a Python process.

Nothing is imported before it is named: a command that starts no kernel loads none.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
    from cmbs.stores import InMemoryStore, PostgresStore, TeeStore

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

# Where the names above are; to import `cmbs` is to have these modules too.
_MODULES = ("belief_server", "belief_state", "core", "spi", "stores", "adapters")

# Whoever checks types is not to take a misspelt name for this.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name in _MODULES:
            return import_module(f"cmbs.{name}")
        if name in __all__:
            for module in (*_MODULES, "adapters.legacy"):
                if hasattr(found := import_module(f"cmbs.{module}"), name):
                    return globals().setdefault(name, getattr(found, name))
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__, *_MODULES})
