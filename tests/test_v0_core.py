"""The core: what a result does, what gates an exit and the end, and what survives being written."""

import json
import math
from copy import deepcopy

import pytest

from cmbs.core import (
    CMBSCore,
    EliminationEvent,
    ObligationExitResult,
    ProbeResult,
    TerminationResult,
)

IDS = ["H1", "H2", "H3", "H4"]
ODD = ["", " ", "H1 ", "\U0001f52c", "a b", "a\0b", "\ud800", "é", "e\u0301", "\n", "x" * 100_000]


@pytest.fixture
def core() -> CMBSCore:
    return CMBSCore(IDS)


def through_json(core: CMBSCore) -> CMBSCore:
    return CMBSCore.deserialize(json.loads(json.dumps(core.serialize())))


# INV-3: a result counts once, and its identity is the probe's id alone


def test_a_result_eliminates_what_survives_of_it(core: CMBSCore) -> None:
    assert core.submit_probe_result("p", "o", {"H1", "nowhere"}) == ProbeResult(accepted=True)
    assert core.survivors == {"H2", "H3", "H4"}
    assert core.consumed_probes == {"p"}


@pytest.mark.parametrize("observable", ["o", "other"])
@pytest.mark.parametrize("eliminated", [set(), {"H1"}, {"H2"}])
def test_a_consumed_probe_is_refused(core: CMBSCore, observable: str, eliminated: set[str]) -> None:
    core.submit_probe_result("p", "o", {"H1"})
    again = core.submit_probe_result("p", observable, eliminated)
    assert again == ProbeResult(accepted=False, error="duplicate probe")


def test_a_duplicate_has_no_other_effect(core: CMBSCore) -> None:
    core.enter_obligation("a", 3)
    core.submit_probe_result("p", "o", {"H1"})
    before = deepcopy(core.serialize())
    core.submit_probe_result("p", "o", {"H2", "H3"})
    assert core.serialize() == before


@pytest.mark.parametrize("eliminated", [[], ["nowhere"], ["H1"]])
def test_a_result_without_effect_is_consumed(core: CMBSCore, eliminated: list[str]) -> None:
    core.submit_probe_result("first", "o", ["H1"])
    assert core.submit_probe_result("p", "o", eliminated).accepted is True
    assert core.submit_probe_result("p", "o", ["H2"]).accepted is False
    assert core.survivors == {"H2", "H3", "H4"}


def test_nothing_comes_back(core: CMBSCore) -> None:
    core.submit_probe_result("p", "o", set(IDS))
    core.submit_probe_result("q", "o", set())
    assert core.survivors == set()


def test_the_history_holds_what_was_eliminated_and_in_which_order(core: CMBSCore) -> None:
    core.submit_probe_result("z", "o1", {"H1", "H2", "nowhere"})
    core.submit_probe_result("nothing", "o2", {"H1"})
    core.submit_probe_result("unknown", "o3", {"nowhere"})
    core.submit_probe_result("a", "o4", {"H2", "H3"})
    assert core.get_elimination_history() == [
        EliminationEvent("z", "o1", {"H1", "H2"}),
        EliminationEvent("a", "o4", {"H3"}),
    ]


@pytest.mark.parametrize("name", ODD, ids=lambda name: ascii(name[:9]))
def test_any_text_is_an_id(name: str) -> None:
    core = CMBSCore([name, "other"])
    core.enter_obligation(name)
    assert core.submit_probe_result(name, name, {name}).accepted is True
    assert core.submit_probe_result(name, name, {name}).accepted is False
    core.declare_conclusion(name)
    assert (core.survivors, core.consumed_probes) == ({"other"}, {name})
    assert core.active_obligations == {name}
    assert through_json(core).serialize() == core.serialize()
    assert core.request_obligation_exit(name).permitted is True


def test_ids_are_not_made_alike() -> None:
    core = CMBSCore(["é", "e\u0301", "H", "h", "H "])
    core.submit_probe_result("p", "o", {"é", "H"})
    assert core.survivors == {"e\u0301", "h", "H "}
    assert core.submit_probe_result("P", "o", {"h"}).accepted is True


# INV-5a: entropy can always be asked, and gates nothing


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 1000])
def test_entropy(n: int) -> None:
    entropy = CMBSCore(map(str, range(n))).entropy
    assert isinstance(entropy, float)
    assert entropy == (math.log2(n) if n > 1 else 0.0)


def test_entropy_is_there_when_all_else_is_over(core: CMBSCore) -> None:
    core.enter_obligation("a", 9)
    core.request_termination()
    assert core.entropy == 2.0
    core.submit_probe_result("p", "o", {"H1", "H2"})
    assert core.entropy == 1.0
    core.submit_probe_result("q", "o", IDS)
    assert core.entropy == 0.0


@pytest.mark.parametrize("gone", [0, 1, 3, 4])
def test_neither_survivors_nor_obligations_keep_from_the_end(core: CMBSCore, gone: int) -> None:
    core.submit_probe_result("p", "o", IDS[:gone])
    core.enter_obligation("never met", 99)
    assert core.request_termination() == TerminationResult(permitted=True)
    assert core.active_obligations == {"never met"}


# INV-6: an exit needs as many eliminations as its own obligation, counted since its own entry


def test_an_exit_of_what_is_not_active(core: CMBSCore) -> None:
    refused = ObligationExitResult(permitted=False, error="obligation not active")
    assert core.request_obligation_exit("a") == refused
    core.enter_obligation("a", 0)
    assert core.request_obligation_exit("b") == refused
    assert core.request_obligation_exit("a").permitted is True
    assert core.request_obligation_exit("a") == refused


@pytest.mark.parametrize(
    ("least", "gone", "permitted"),
    [(0, 0, True), (1, 0, False), (1, 1, True), (2, 1, False), (2, 3, True), (5, 4, False)],
)
def test_an_exit_needs_its_threshold(
    core: CMBSCore, least: int, gone: int, permitted: bool
) -> None:
    core.enter_obligation("a", min_eliminations=least)
    core.submit_probe_result("p", "o", IDS[:gone])
    assert core.request_obligation_exit("a") == ObligationExitResult(permitted, None)
    assert core.is_obligation_active("a") is not permitted


def test_hypotheses_count_and_not_results(core: CMBSCore) -> None:
    core.enter_obligation("a", 2)
    for no in range(3):
        core.submit_probe_result(f"empty {no}", "o", {"nowhere"})
    core.submit_probe_result("p", "o", {"H1"})
    core.submit_probe_result("p", "o", {"H2"})
    core.submit_probe_result("q", "o", {"H1"})
    assert core.request_obligation_exit("a").permitted is False
    core.submit_probe_result("r", "o", {"H2"})
    assert core.request_obligation_exit("a").permitted is True


def test_what_went_before_the_entry_does_not_count(core: CMBSCore) -> None:
    core.submit_probe_result("p", "o", {"H1", "H2"})
    core.enter_obligation("a")
    assert core.request_obligation_exit("a").permitted is False


def test_obligations_count_for_themselves(core: CMBSCore) -> None:
    core.enter_obligation("early", 2)
    core.submit_probe_result("p", "o", {"H1"})
    core.enter_obligation("late", 2)
    core.submit_probe_result("q", "o", {"H2"})
    assert core.active_obligations == {"early", "late"}
    assert core.request_obligation_exit("late").permitted is False
    assert core.request_obligation_exit("early").permitted is True
    assert core.active_obligations == {"late"}
    core.submit_probe_result("r", "o", {"H3"})
    assert core.request_obligation_exit("late").permitted is True


def test_entering_again_begins_anew(core: CMBSCore) -> None:
    core.enter_obligation("a", 1)
    core.submit_probe_result("p", "o", {"H1"})
    core.enter_obligation("a", 2)
    core.submit_probe_result("q", "o", {"H2"})
    assert core.request_obligation_exit("a").permitted is False
    core.submit_probe_result("r", "o", {"H3"})
    assert core.request_obligation_exit("a").permitted is True


# INV-2: the end needs N equal conclusions in a row


@pytest.mark.parametrize(
    ("window", "conclusions", "permitted"),
    [
        (0, "", True),
        (0, "ab", True),
        (1, "", False),
        (1, "a", True),
        (2, "a", False),
        (2, "aa", True),
        (2, "ab", False),
        (2, "baa", True),
        (3, "aa", False),
        (3, "abaaa", True),
        (3, "aaab", False),
    ],
)
def test_the_end_needs_equal_conclusions(window: int, conclusions: str, permitted: bool) -> None:
    core = CMBSCore(IDS, stability_window=window)
    for one in conclusions:
        core.declare_conclusion(one)
    assert core.is_terminated is False
    assert core.request_termination() == TerminationResult(permitted, None)
    assert core.is_terminated is permitted
    assert core.serialize()["conclusion_history"] == list(conclusions)


def test_what_has_ended_stays_so() -> None:
    core = CMBSCore(IDS, stability_window=1)
    core.declare_conclusion("a")
    core.request_termination()
    core.submit_probe_result("p", "o", {"H1"})
    core.declare_conclusion("b")
    assert core.is_terminated is True
    assert core.survivors == {"H2", "H3", "H4"}


# Written down and read again


def busy() -> CMBSCore:
    """A core with something in every member."""
    core = CMBSCore(["H2", "H1", "H3", "H4"], stability_window=2)
    core.submit_probe_result("q", "o1", {"H4", "H3"})
    core.enter_obligation("b", 2)
    core.enter_obligation("a")
    core.submit_probe_result("p", "o2", {"H2", "nowhere"})
    core.submit_probe_result("nothing", "o3", set())
    core.declare_conclusion("c")
    core.declare_conclusion("c")
    core.request_termination()
    return core


def test_what_is_written() -> None:
    state = busy().serialize()
    assert state == {
        "hypotheses": ["H1", "H2", "H3", "H4"],
        "survivors": ["H1"],
        "consumed_probes": ["nothing", "p", "q"],
        "stability_window": 2,
        "conclusion_history": ["c", "c"],
        "terminated": True,
        "obligations": {"a": 1, "b": 2},
        "obligation_elimination_counts": {"a": 1, "b": 1},
        "elimination_history": [
            {"probe_id": "q", "observable_id": "o1", "eliminated": ["H3", "H4"]},
            {"probe_id": "p", "observable_id": "o2", "eliminated": ["H2"]},
        ],
    }
    assert json.loads(json.dumps(state)) == state


def test_a_core_reads_what_it_wrote() -> None:
    read = through_json(busy())
    assert read.serialize() == busy().serialize()
    assert read.get_elimination_history() == busy().get_elimination_history()
    assert (read.survivors, read.is_terminated, read.entropy) == ({"H1"}, True, 0.0)


def test_the_hypotheses_may_be_missing_in_what_is_read() -> None:
    state = busy().serialize()
    del state["hypotheses"]
    assert CMBSCore.deserialize(state).serialize() == busy().serialize()


def test_what_is_read_is_copied() -> None:
    state = busy().serialize()
    read = CMBSCore.deserialize(state)
    for value in state.values():
        if isinstance(value, list | dict):
            value.clear()
    assert read.serialize() == busy().serialize()


def test_a_read_core_goes_on() -> None:
    read = through_json(busy())
    assert read.submit_probe_result("nothing", "o", {"H1"}).error == "duplicate probe"
    assert read.request_obligation_exit("b").permitted is False
    assert read.request_obligation_exit("a").permitted is True
    read.submit_probe_result("r", "o", {"H1", "H2"})
    assert read.request_obligation_exit("b").permitted is True
    assert read.get_elimination_history()[-1] == EliminationEvent("r", "o", {"H1"})
    read.declare_conclusion("d")
    assert read.request_termination().permitted is False
