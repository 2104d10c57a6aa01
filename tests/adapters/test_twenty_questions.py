"""The adapter of twenty questions, and what it shares with that of incidents."""

import dataclasses
from concurrent.futures import ThreadPoolExecutor

import pytest

from cmbs.adapters import (
    Action,
    AdapterActionContext,
    BeliefAdapter,
    BeliefMessage,
    EliminateMessage,
    TwentyQAction,
    TwentyQAdapter,
    TwentyQKit,
    TwentyQOracle,
)
from cmbs.adapters.twenty_questions import load_builtin_kit
from tests.adapters.playing import snapshot

KIT = load_builtin_kit("20q_4")
ALL = KIT.hypotheses


def offered(adapter: TwentyQAdapter, *survivors: str, session: str = "s") -> list[str]:
    return [action.action_id for action in adapter.list_actions(snapshot(survivors, session))]


def question(action_id: str, yes: str, no: str) -> TwentyQAction:
    """By first letters: which hypotheses the answers keep."""
    return TwentyQAction(action_id, "?", {"yes": frozenset(yes), "no": frozenset(no)})


def kit_of(*actions: TwentyQAction) -> TwentyQKit:
    return TwentyQKit(list("abcd"), {one.id: one for one in actions}, [one.id for one in actions])


def test_it_is_an_adapter() -> None:
    assert isinstance(TwentyQAdapter(KIT), BeliefAdapter)
    assert not isinstance(TwentyQOracle(KIT), BeliefAdapter)


def test_it_offers_questions_in_the_order_of_the_kit() -> None:
    first, *others = TwentyQAdapter(KIT).list_actions(snapshot(ALL))
    assert first == Action("is_mammal", "Is it a mammal?", {"outcomes": ["yes", "no"]})
    assert [action.action_id for action in others] == ["barks", "can_fly"]
    backwards = dataclasses.replace(KIT, actions_order=KIT.actions_order[::-1])
    assert offered(TwentyQAdapter(backwards), *ALL) == ["can_fly", "barks", "is_mammal"]


def test_what_no_answer_could_use_is_not_offered() -> None:
    adapter = TwentyQAdapter(KIT)
    assert offered(adapter, "dog", "cat") == ["barks"]
    assert offered(adapter, "eagle", "shark") == ["can_fly"]
    assert offered(adapter, "dog") == offered(adapter) == []
    # One answer rules out all that is left, the other nothing: that tells nothing apart.
    assert offered(TwentyQAdapter(kit_of(question("q", "ab", "abcd"))), "c", "d") == []
    # One answer alone is enough to make a question useful.
    assert offered(TwentyQAdapter(kit_of(question("q", "ab", "abcd"))), "b", "c") == ["q"]
    assert TwentyQAdapter(KIT).list_actions(snapshot(ALL, terminated=True)) == []


def test_what_was_begun_or_observed_is_not_offered_again_to_that_session() -> None:
    adapter = TwentyQAdapter(KIT)
    adapter.apply_action("barks", snapshot(ALL))
    assert offered(adapter, *ALL) == ["is_mammal", "can_fly"]
    adapter.observe(AdapterActionContext("can_fly", snapshot(ALL)), "no")
    assert offered(adapter, *ALL) == ["is_mammal"]
    assert offered(adapter, *ALL, session="another") == KIT.actions_order
    assert offered(TwentyQAdapter(KIT), *ALL) == KIT.actions_order


def test_an_answer_eliminates_what_it_does_not_keep() -> None:
    adapter = TwentyQAdapter(KIT, source_id="human://ann")
    context = adapter.apply_action("is_mammal", snapshot(["shark", "cat", "eagle"]))
    assert context.action_id == "is_mammal"
    assert context.payload == {"question": "Is it a mammal?"}
    (message,) = adapter.observe(context, "yes")
    assert message == EliminateMessage(
        verb="ELIMINATE",
        source_id="human://ann",
        observation_id="is_mammal:yes",
        eliminated=["eagle", "shark"],
        justification={"question": "Is it a mammal?", "answer": "yes"},
    )
    assert adapter.observe(context, "yes") == [message], "the same again may be sent again"
    (other,) = adapter.observe(context, "no")
    assert (other.observation_id, other.eliminated) == ("is_mammal:no", ["cat"])
    (default,) = TwentyQAdapter(KIT).observe(context, "no")
    assert default.source_id == "adapter://twenty_questions"


def test_an_answer_that_eliminates_nothing_is_evidence_all_the_same() -> None:
    adapter = TwentyQAdapter(KIT)
    (message,) = adapter.observe(adapter.apply_action("is_mammal", snapshot(["dog"])), "yes")
    assert (message.observation_id, message.eliminated) == ("is_mammal:yes", [])


def test_what_an_answer_does_not_keep_goes_even_if_the_kit_does_not_know_it() -> None:
    adapter = TwentyQAdapter(KIT)
    context = adapter.apply_action("is_mammal", snapshot([*ALL, "unicorn"]))
    (message,) = adapter.observe(context, "no")
    assert message.eliminated == ["cat", "dog", "unicorn"]
    # One that it knows can be told apart from it, by whatever keeps the one.
    assert offered(TwentyQAdapter(KIT), "unicorn", "dog") == KIT.actions_order
    assert offered(TwentyQAdapter(KIT), "unicorn", "yeti") == []


def test_what_is_no_action_or_no_answer_is_refused() -> None:
    adapter = TwentyQAdapter(KIT)
    with pytest.raises(ValueError, match=r"there is no action 'moos'; list_actions\(\) tells"):
        adapter.apply_action("moos", snapshot(ALL))
    with pytest.raises(ValueError, match="there is no action 'moos'"):
        adapter.observe(AdapterActionContext("moos", snapshot(ALL)), "yes")
    context = AdapterActionContext("barks", snapshot(ALL))
    for raw in ("maybe", "Yes", "", True, None, ["yes"], "y" * 100_000):
        with pytest.raises(
            ValueError, match="of action 'barks'; its outcomes are 'yes', 'no'"
        ) as why:
            adapter.observe(context, raw)
        assert len(str(why.value)) < 200
    assert offered(adapter, *ALL) == KIT.actions_order, "what was refused was not asked"


def test_the_oracle_knows() -> None:
    oracle = TwentyQOracle(KIT)
    assert [oracle.answer("dog", action_id) for action_id in KIT.actions_order] == [
        "yes",
        "yes",
        "no",
    ]
    with pytest.raises(ValueError, match="no hypothesis 'unicorn'"):
        oracle.answer("unicorn", "barks")
    with pytest.raises(ValueError, match="no action 'moos'"):
        oracle.answer("dog", "moos")
    unclear = TwentyQOracle(kit_of(question("q", "abc", "bc")))
    assert unclear.answer("b", "q") == "yes"
    with pytest.raises(ValueError, match="no answer to action 'q' keeps 'd'; mend the kit"):
        unclear.answer("d", "q")


def test_many_threads_play_with_one_adapter() -> None:
    adapter = TwentyQAdapter(KIT)
    oracle = TwentyQOracle(KIT)

    def find(number: int) -> tuple[str, set[str]]:
        secret, left = ALL[number % 4], set(ALL)
        while actions := adapter.list_actions(snapshot(left, f"session {number}")):
            now = snapshot(left, f"session {number}")
            context = adapter.apply_action(actions[0].action_id, now)
            (message,) = adapter.observe(context, oracle.answer(secret, context.action_id))
            left -= set(message.eliminated)
        return secret, left

    with ThreadPoolExecutor(8) as threads:
        for secret, left in threads.map(find, range(200)):
            assert left == {secret}


def test_a_message_is_that_of_the_protocol() -> None:
    message = EliminateMessage.create("s", "o", {"a"}, {"why": 1})
    assert message.verb == "ELIMINATE"
    assert message.to_dict() == {
        "source_id": "s",
        "observation_id": "o",
        "eliminated": ["a"],
        "justification": {"why": 1},
    }
    assert "justification" not in EliminateMessage.create("s", "o", []).to_dict()
    assert BeliefMessage is EliminateMessage
    with pytest.raises(dataclasses.FrozenInstanceError):
        message.verb = "RESURRECT"
