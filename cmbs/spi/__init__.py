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
    `cmbs.hypotheses`. One that cannot be imported is reported as a warning and left out.
    """
    # Needed here alone, and slow to import.
    from importlib.metadata import entry_points

    found: dict[str, type[HypothesisProvider]] = {}
    for entry_point in entry_points(group="cmbs.hypotheses"):
        try:
            found[entry_point.name] = entry_point.load()
        except Exception as error:
            warnings.warn(
                f"the provider {entry_point.name!r} ({entry_point.value}) cannot be imported and "
                f"is left out: {type(error).__name__}: {error}",
                RuntimeWarning,
                stacklevel=2,
            )
    return found
