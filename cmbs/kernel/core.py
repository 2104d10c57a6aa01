"""The core of belief: a set that only shrinks, and the gates over it.

It is told results and judges nothing else: it trusts its caller, and ids are opaque strings.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass
class ProbeResult:
    accepted: bool
    error: str | None = None


@dataclass
class ObligationExitResult:
    permitted: bool
    error: str | None = None


@dataclass
class TerminationResult:
    permitted: bool
    error: str | None = None


@dataclass
class EliminationEvent:
    """A result that eliminated something, and what it did."""

    probe_id: str
    observable_id: str
    eliminated: set[str]


class CMBSCore:
    """The survivors of a set of hypotheses, and what gates an exit and the end.

    With a `stability_window` of N the last N conclusions must be equal for the end to be permitted.
    """

    def __init__(self, hypothesis_ids: Iterable[str], stability_window: int = 0) -> None:
        self._hypotheses = frozenset(hypothesis_ids)
        self._survivors = set(self._hypotheses)
        self._stability_window = stability_window
        self._consumed: set[str] = set()
        # By obligation: its threshold, and what was eliminated since it was entered.
        self._thresholds: dict[str, int] = {}
        self._counted: dict[str, int] = {}
        self._conclusions: list[str] = []
        self._history: list[EliminationEvent] = []
        self._terminated = False

    @property
    def survivors(self) -> set[str]:
        return set(self._survivors)

    @property
    def survivor_count(self) -> int:
        return len(self._survivors)

    @property
    def consumed_probes(self) -> set[str]:
        """The ids of all results; one of them again is refused."""
        return set(self._consumed)

    @property
    def active_obligations(self) -> set[str]:
        return set(self._thresholds)

    @property
    def entropy(self) -> float:
        """log2 of the number of survivors, 0.0 for none or one. It gates nothing."""
        return math.log2(len(self._survivors)) if len(self._survivors) > 1 else 0.0

    @property
    def is_terminated(self) -> bool:
        return self._terminated

    def submit_probe_result(
        self, probe_id: str, observable_id: str, eliminated: Iterable[str]
    ) -> ProbeResult:
        """Take what a result eliminates. Its id is consumed, also if that is nothing."""
        if probe_id in self._consumed:
            return ProbeResult(accepted=False, error="duplicate probe")
        # For the cost of what is asked, whatever the size of the universe.
        applied = {one for one in eliminated if one in self._survivors}
        self._consumed.add(probe_id)
        if applied:
            self._survivors -= applied
            self._history.append(EliminationEvent(probe_id, observable_id, applied))
            for obligation_id in self._counted:
                self._counted[obligation_id] += len(applied)
        return ProbeResult(accepted=True)

    def enter_obligation(self, obligation_id: str, min_eliminations: int = 1) -> None:
        """Count from here. Entered again, an obligation begins anew."""
        self._thresholds[obligation_id] = min_eliminations
        self._counted[obligation_id] = 0

    def request_obligation_exit(self, obligation_id: str) -> ObligationExitResult:
        """Leave an obligation, permitted once as much as its threshold has been counted for it."""
        if obligation_id not in self._thresholds:
            return ObligationExitResult(permitted=False, error="obligation not active")
        if self._counted[obligation_id] < self._thresholds[obligation_id]:
            return ObligationExitResult(permitted=False)
        self.waive_obligation(obligation_id)
        return ObligationExitResult(permitted=True)

    def waive_obligation(self, obligation_id: str) -> None:
        """Leave an active obligation, whatever has been counted."""
        del self._thresholds[obligation_id], self._counted[obligation_id]

    def is_obligation_active(self, obligation_id: str) -> bool:
        return obligation_id in self._thresholds

    def obligation_count(self, obligation_id: str) -> int:
        """How many were eliminated since an active obligation was entered."""
        return self._counted[obligation_id]

    def declare_conclusion(self, conclusion_id: str) -> None:
        """Always taken; the last ones count for the stability window."""
        self._conclusions.append(conclusion_id)

    @property
    def is_stable(self) -> bool:
        """Whether the last conclusions, as many as the window asks for, exist and are equal."""
        window = self._stability_window
        last = self._conclusions[-window:] if window else []
        return len(last) == window and len(set(last)) <= 1

    def request_termination(self) -> TerminationResult:
        """Permitted once the conclusions are stable; obligations and survivors play no part."""
        if self.is_stable:
            self._terminated = True
        return TerminationResult(permitted=self.is_stable)

    def terminate(self) -> None:
        """The end, decided by whoever holds the core."""
        self._terminated = True

    def get_elimination_history(self) -> list[EliminationEvent]:
        """A copy, in the order of submission; results that eliminated nothing are not in it."""
        return [
            EliminationEvent(event.probe_id, event.observable_id, set(event.eliminated))
            for event in self._history
        ]

    def serialize(self) -> dict[str, Any]:
        """Everything, as a value that JSON can hold."""
        return {
            "hypotheses": sorted(self._hypotheses),
            "survivors": sorted(self._survivors),
            "consumed_probes": sorted(self._consumed),
            "stability_window": self._stability_window,
            "conclusion_history": list(self._conclusions),
            "terminated": self._terminated,
            "obligations": dict(self._thresholds),
            "obligation_elimination_counts": dict(self._counted),
            "elimination_history": [
                {
                    "probe_id": event.probe_id,
                    "observable_id": event.observable_id,
                    "eliminated": sorted(event.eliminated),
                }
                for event in self._history
            ],
        }

    @classmethod
    def deserialize(cls, state: Mapping[str, Any]) -> "CMBSCore":
        """The core that `serialize` wrote down. Without `hypotheses` they are those that survive
        and those that its history eliminated.
        """
        history = [
            EliminationEvent(event["probe_id"], event["observable_id"], set(event["eliminated"]))
            for event in state["elimination_history"]
        ]
        survivors = set(state["survivors"])
        gone = set[str]().union(*(event.eliminated for event in history))
        core = cls(state.get("hypotheses") or survivors | gone, state["stability_window"])
        core._survivors, core._history = survivors, history
        core._consumed = set(state["consumed_probes"])
        core._conclusions = list(state["conclusion_history"])
        core._terminated = state["terminated"]
        core._thresholds = dict(state["obligations"])
        core._counted = dict(state["obligation_elimination_counts"])
        return core
