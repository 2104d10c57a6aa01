"""The core as a type: its members, what it copies; and any sequence of calls."""

import json
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmbs.core import (
    CMBSCore,
    EliminationEvent,
    ObligationExitResult,
    ProbeResult,
    TerminationResult,
)
from tests.library.kit import unhurried

IDS = ["H1", "H2", "H3", "H4"]


@pytest.fixture
def core() -> CMBSCore:
    return CMBSCore(IDS)


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (ProbeResult, ["accepted", "error"]),
        (ObligationExitResult, ["permitted", "error"]),
        (TerminationResult, ["permitted", "error"]),
        (EliminationEvent, ["probe_id", "observable_id", "eliminated"]),
    ],
)
def test_results_are_dataclasses_of_these_fields(kind: type, names: list[str]) -> None:
    assert [field.name for field in fields(kind)] == names
    if names[-1] == "error":
        assert kind(True) == kind(True, None) != kind(False)


def test_both_arguments_are_keywords() -> None:
    core = CMBSCore(hypothesis_ids=IDS, stability_window=2)
    assert core.survivors == set(IDS)
    assert core.request_termination().permitted is False


@pytest.mark.parametrize("kind", [list, tuple, set, frozenset, iter, dict.fromkeys])
def test_hypotheses_are_any_iterable(kind: Callable[[list[str]], Any]) -> None:
    assert CMBSCore(kind([*IDS, "H1"])).survivors == set(IDS)


def test_hypotheses_are_copied() -> None:
    given_ids = set(IDS)
    core = CMBSCore(given_ids)
    given_ids.clear()
    assert core.survivors == set(IDS)


def test_a_new_core_knows_nothing(core: CMBSCore) -> None:
    assert core.consumed_probes == core.active_obligations == set()
    assert core.get_elimination_history() == []
    assert core.is_terminated is False


def test_what_is_handed_out_is_fresh(core: CMBSCore) -> None:
    core.submit_probe_result("p", "o", {"H1"})
    core.enter_obligation("a")
    before = core.serialize()
    for handed in (core.survivors, core.consumed_probes, core.active_obligations):
        assert handed
        handed.clear()
    history = core.get_elimination_history()
    history[0].eliminated.clear()
    history.clear()
    for value in core.serialize().values():
        if isinstance(value, list | dict):
            value.clear()
    core.serialize()["elimination_history"][0]["eliminated"].clear()
    assert core.serialize() == before


def test_no_member_speaks_of_what_a_probe_is_doing(core: CMBSCore) -> None:
    kinds = (ProbeResult, ObligationExitResult, TerminationResult, EliminationEvent)
    names = [*dir(core), *vars(core), *core.serialize()]
    names += [field.name for kind in kinds for field in fields(kind)]
    for word in ("attempted", "pending", "running", "failed", "successful"):
        assert [name for name in names if word in name.lower()] == []


def test_what_is_eliminated_is_copied(core: CMBSCore) -> None:
    eliminated = {"H1"}
    core.submit_probe_result("p", "o", eliminated)
    eliminated |= {"H2"}
    assert core.get_elimination_history() == [EliminationEvent("p", "o", {"H1"})]


def test_one_elimination_is_needed_unless_told(core: CMBSCore) -> None:
    core.enter_obligation("a")
    assert core.request_obligation_exit("a").permitted is False
    core.submit_probe_result("p", "o", {"H1"})
    assert core.request_obligation_exit("a").permitted is True


def test_results_and_obligations_do_not_break_a_row_of_conclusions(core: CMBSCore) -> None:
    core = CMBSCore(IDS, 2)
    core.declare_conclusion("a")
    core.enter_obligation("b")
    core.submit_probe_result("p", "o", {"H1"})
    core.declare_conclusion("a")
    assert core.request_termination().permitted is True


# Any sequence of calls

ids = st.sampled_from([*IDS, "", "nowhere", "\ud800"])
some = st.sets(ids)
calls = st.one_of(
    st.tuples(st.just("submit_probe_result"), ids, ids, some),
    st.tuples(st.just("enter_obligation"), ids, st.integers(0, 4)),
    st.tuples(st.just("request_obligation_exit"), ids),
    st.tuples(st.just("is_obligation_active"), ids),
    st.tuples(st.just("declare_conclusion"), st.sampled_from(["a", "b"])),
    st.tuples(st.just("request_termination")),
)


@unhurried
@given(some, st.integers(0, 3), st.lists(calls, max_size=20), st.lists(calls, max_size=20))
def test_a_core_goes_on_as_if_never_written(
    hypotheses: set[str], window: int, before: list[Any], after: list[Any]
) -> None:
    core = CMBSCore(hypotheses, window)
    for name, *arguments in before:
        getattr(core, name)(*arguments)
    state = json.loads(json.dumps(core.serialize()))
    older = {name: value for name, value in state.items() if name != "hypotheses"}
    read, read_older = CMBSCore.deserialize(state), CMBSCore.deserialize(older)
    assert read.serialize() == read_older.serialize() == core.serialize()
    for name, *arguments in after:
        expected = getattr(core, name)(*arguments)
        assert getattr(read, name)(*arguments) == expected
        assert getattr(read_older, name)(*arguments) == expected
    assert read.serialize() == read_older.serialize() == core.serialize()
    assert read.entropy == core.entropy


@unhurried
@given(some, st.lists(calls))
def test_what_always_holds(hypotheses: set[str], sequence: list[Any]) -> None:
    core = CMBSCore(hypotheses)
    for name, *arguments in sequence:
        before, probes, was_over = core.survivors, core.consumed_probes, core.is_terminated
        getattr(core, name)(*arguments)
        assert core.survivors <= before
        assert core.consumed_probes >= probes
        assert core.is_terminated >= was_over
        if name != "submit_probe_result":
            assert (core.survivors, core.consumed_probes) == (before, probes)
        gone = [one for event in core.get_elimination_history() for one in event.eliminated]
        assert sorted(gone) == sorted(hypotheses - core.survivors), "each once"
        assert all(event.eliminated for event in core.get_elimination_history())
