"""BeliefState: what is left of a provider's hypotheses."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmbs.belief_state import BeliefState
from cmbs.spi import HypothesisProvider


class Provider:
    """Answers a probe with the response itself."""

    def __init__(self, ids: Iterable[str] = "abcd") -> None:
        self.ids = list(ids)
        self.asked: list[str] = []

    def id(self) -> str:
        return "provider"

    def version(self) -> str:
        return "1"

    def hypothesis_ids(self) -> Iterable[str]:
        return self.ids

    def probe_ids(self) -> Iterable[str]:
        return ["p"]

    def apply_probe(self, probe_id: str, response: Any) -> Mapping[str, bool]:
        self.asked.append(probe_id)
        mask: Mapping[str, bool] = response
        return mask


def figures(state: BeliefState) -> tuple[float, float, bool, bool]:
    return (
        state.remaining_mass(),
        state.remaining_entropy(),
        state.is_singleton(),
        state.is_empty(),
    )


def test_the_provider_is_one() -> None:
    assert isinstance(Provider(), HypothesisProvider)


def test_true_eliminates_and_nothing_else_does() -> None:
    provider = Provider()
    state = BeliefState(provider)
    assert state.survivors == {"a", "b", "c", "d"}
    assert state.apply_probe("p", {"a": True, "b": False}) == {"a"}
    assert state.survivors == {"b", "c", "d"}
    assert state.apply_probe("q", {}) == set()
    assert provider.asked == ["p", "q"]


def test_the_same_again_eliminates_nothing() -> None:
    state = BeliefState(Provider())
    assert state.apply_probe("p", {"a": True, "b": True}) == {"a", "b"}
    assert state.apply_probe("p", {"a": True, "b": True}) == set()
    assert state.apply_probe("p", {"a": False, "b": True, "c": True}) == {"c"}
    assert state.survivors == {"d"}, "False brings nothing back"


@pytest.mark.parametrize("is_gone", [True, False])
def test_an_unknown_id_is_refused_before_anything_is_applied(is_gone: bool) -> None:
    state = BeliefState(Provider())
    with pytest.raises(ValueError, match=r"provider 'provider' answered probe 'p' .*\['z'\]"):
        state.apply_probe("p", {"a": True, "z": is_gone})
    assert state.survivors == {"a", "b", "c", "d"}
    state.apply_probe("p", {"a": True})
    assert state.apply_probe("p", {"a": True}) == set(), "a hypothesis that is gone is known"


def test_what_is_answered_is_the_callers() -> None:
    state = BeliefState(Provider())
    state.survivors.clear()
    state.active_map().clear()
    state.apply_probe("p", {"a": True}).clear()
    assert state.survivors == {"b", "c", "d"}
    assert state.active_map() == {"a": False, "b": True, "c": True, "d": True}


def test_figures() -> None:
    state = BeliefState(Provider())
    assert figures(state) == (1.0, 2.0, False, False)
    state.apply_probe("p", {"a": True})
    assert figures(state) == (0.75, math.log2(3), False, False)
    state.apply_probe("p", {"b": True, "c": True})
    assert figures(state) == (0.25, 0.0, True, False)
    state.apply_probe("p", {"d": True})
    assert figures(state) == (0.0, 0.0, False, True)
    assert state.active_map() == dict.fromkeys("abcd", False)


def test_a_provider_without_hypotheses() -> None:
    state = BeliefState(Provider([]))
    assert figures(state) == (0.0, 0.0, False, True)
    assert state.survivors == set()
    assert state.active_map() == {}
    with pytest.raises(ValueError, match="1 unknown hypotheses"):
        state.apply_probe("p", {"": False})


def test_ids_are_read_once_and_are_opaque() -> None:
    provider = Provider(["", " ", "\U0001f600", "a", "a"])
    state = BeliefState(provider)
    provider.ids.append("new")
    assert state.survivors == {"", " ", "\U0001f600", "a"}
    assert state.remaining_entropy() == 2.0
    assert state.apply_probe("p", {"": True, "\U0001f600": True}) == {"", "\U0001f600"}
    with pytest.raises(ValueError, match="new"):
        state.apply_probe("p", {"new": True})


@given(st.lists(st.dictionaries(st.sampled_from("abcd"), st.booleans()), max_size=6))
def test_belief_only_shrinks(masks: list[dict[str, bool]]) -> None:
    state = BeliefState(Provider())
    gone = set[str]()
    for mask in masks:
        named = {one for one, is_gone in mask.items() if is_gone}
        assert state.apply_probe("p", mask) == named - gone
        gone |= named
        assert state.survivors == set("abcd") - gone
        assert state.active_map() == {one: one not in gone for one in "abcd"}
        assert state.remaining_mass() == 1 - len(gone) / 4
