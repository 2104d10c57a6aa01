"""What others implement for CMBS: stores of eliminations, and providers of hypotheses."""

import warnings

from cmbs.spi.elimination_store import (
    EliminationProvenance,
    EliminationResult,
    EliminationStore,
    RecoveredState,
)
from cmbs.spi.hypothesis_provider import HypothesisProvider

__all__ = [
    "EliminationProvenance",
    "EliminationResult",
    "EliminationStore",
    "HypothesisProvider",
    "RecoveredState",
    "discover_providers",
]


def discover_providers() -> dict[str, type[HypothesisProvider]]:
    """The providers that installed packages offer, by name: entry points of the group
    `cmbs.hypotheses`. One that cannot be imported, is no class, or has the name of another is
    reported as a warning and left out.
    """
    # Needed here alone, and slow to import.
    from importlib.metadata import entry_points

    found: dict[str, type[HypothesisProvider]] = {}
    for entry_point in entry_points(group="cmbs.hypotheses"):
        try:
            loaded = entry_point.load()
            if not isinstance(loaded, type):
                raise TypeError("it is no class")
            if found.setdefault(entry_point.name, loaded) is not loaded:
                raise ValueError("another package offers one of this name")
        # A module that calls sys.exit() when it is imported must not end the program either.
        except (Exception, SystemExit) as error:
            warnings.warn(
                f"the provider {entry_point.name!r} ({entry_point.value}) cannot be imported and "
                f"is left out: {type(error).__name__}: {error}",
                RuntimeWarning,
                stacklevel=2,
            )
    return found
