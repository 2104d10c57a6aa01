"""For programs with eliminations of their own making: hand them to a core without a server."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from cmbs.kernel.core import CMBSCore, ProbeResult


@dataclass(frozen=True)
class LegacyEliminationEvent:
    """What a probe observed, and which hypotheses that rules out."""

    probe_id: str
    observable_id: str
    eliminated_hypotheses: Collection[str]


class LegacyReplayAdapter:
    """Submits recorded eliminations, in their order, to one core."""

    def __init__(self, core: CMBSCore) -> None:
        self._core = core

    @property
    def core(self) -> CMBSCore:
        return self._core

    def submit_elimination_event(self, event: LegacyEliminationEvent) -> ProbeResult:
        """What the core says: a probe that it has seen is refused and changes nothing."""
        return submit_legacy_elimination(
            self._core, event.probe_id, event.observable_id, event.eliminated_hypotheses
        )

    def submit_elimination_events(
        self, events: Iterable[LegacyEliminationEvent]
    ) -> list[ProbeResult]:
        """A result for each event; one that is refused does not keep the next from being tried."""
        return [self.submit_elimination_event(event) for event in events]


def submit_legacy_elimination(
    core: CMBSCore, probe_id: str, observable_id: str, eliminated_hypotheses: Iterable[str]
) -> ProbeResult:
    return core.submit_probe_result(probe_id, observable_id, set(eliminated_hypotheses))
