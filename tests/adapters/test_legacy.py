"""Eliminations of older programs, handed to a core."""

import dataclasses

import pytest

from cmbs.adapters import (
    LegacyEliminationEvent,
    LegacyReplayAdapter,
    submit_legacy_elimination,
)
from cmbs.core import CMBSCore, EliminationEvent, ProbeResult


def test_events_are_submitted_in_their_order() -> None:
    core = CMBSCore(["a", "b", "c", "d"])
    adapter = LegacyReplayAdapter(core)
    assert adapter.core is core
    results = adapter.submit_elimination_events(
        [
            LegacyEliminationEvent("p1", "o1", frozenset({"a", "unknown"})),
            LegacyEliminationEvent("p1", "o2", frozenset({"b"})),
            LegacyEliminationEvent("p2", "o2", ["a", "c", "c"]),
            LegacyEliminationEvent("p3", "o3", []),
        ]
    )
    assert results == [
        ProbeResult(accepted=True),
        ProbeResult(accepted=False, error="duplicate probe"),
        ProbeResult(accepted=True),
        ProbeResult(accepted=True),
    ]
    assert core.survivors == {"b", "d"}
    assert core.consumed_probes == {"p1", "p2", "p3"}
    assert core.get_elimination_history() == [
        EliminationEvent("p1", "o1", {"a"}),
        EliminationEvent("p2", "o2", {"c"}),
    ]
    assert adapter.submit_elimination_events(iter([])) == []


def test_one_event_alone() -> None:
    core = CMBSCore(["a", "b"])
    event = LegacyEliminationEvent("p1", "o", {"a"})
    assert LegacyReplayAdapter(core).submit_elimination_event(event).accepted
    assert submit_legacy_elimination(core, "p1", "o", ["b"]).error == "duplicate probe"
    assert submit_legacy_elimination(core, "p2", "o", (one for one in "b")).accepted
    assert core.survivors == set()
    with pytest.raises(dataclasses.FrozenInstanceError):
        event.probe_id = "p2"


def test_an_event_keeps_what_it_was_given() -> None:
    event = LegacyEliminationEvent("p", "o", {"a"})
    core = CMBSCore("ab")
    LegacyReplayAdapter(core).submit_elimination_event(event)
    assert event == LegacyEliminationEvent("p", "o", {"a"})
