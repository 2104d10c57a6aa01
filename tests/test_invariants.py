"""The kernel against its oracle: any sequence of calls, and what must hold whatever was called."""

import json
import random
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import run_state_machine_as_test
from psycopg import sql

from tests.support.machine import AGENT, OFFICER, Machine
from tests.support.oracle import BUNDLE, hash_of
from tests.support.pair import Connection, Pair, ids
from tests.support.sizes import sampled, size

# No deadline: several suites may share the cores. A run of the machine is some forty calls, each
# made twice; 120 of them reach every verb with every reason and take about ten seconds.
MACHINE = settings(
    max_examples=size(10, 120),
    stateful_step_count=40,
    deadline=None,
    report_multiple_bugs=False,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
PROPERTY = settings(
    max_examples=size(8, 40),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
# Around the bytes of a mask, and around 8,192, above which it is kept in chunks.
SIZES = [1, 7, 8, 9, 8191, 8192, 8193, 20_000]


@pytest.fixture
def roles(tx: Connection) -> Connection:
    """Principals of the machine; they are rolled back with everything else."""
    for role, granted in {AGENT: ["cmbs_agent"], OFFICER: ["cmbs_agent", "cmbs_policy"]}.items():
        names = sql.SQL(", ").join(map(sql.Identifier, granted))
        tx.execute(sql.SQL("create role {} in role {}").format(sql.Identifier(role), names))
    return tx


# A failing run needs its time to shrink to an example that can be read.
@pytest.mark.slow("a search")
@pytest.mark.timeout(400)
def test_any_sequence_of_calls(roles: Connection) -> None:
    Machine.connection = roles
    run_state_machine_as_test(Machine, settings=MACHINE)


def declared(pair: Pair, hypotheses: list[str], **arguments: Any) -> UUID:
    session_id = uuid4()
    pair(
        "declare_session",
        session_id=session_id,
        ontology=BUNDLE,
        hypotheses=hypotheses,
        **arguments,
    )
    return session_id


def eliminate(pair: Pair, session_id: UUID, observation_id: str, eliminated: list[str]) -> Any:
    return pair(
        "eliminate",
        session_id=session_id,
        source_id="s",
        observation_id=observation_id,
        eliminated=eliminated,
    )


def send_in_batches(
    pair: Pair, session_id: UUID, messages: list[list[str]], sizes: list[int]
) -> None:
    numbered = [
        {"source_id": "s", "observation_id": str(no), "eliminated": eliminated}
        for no, eliminated in enumerate(messages)
    ]
    while numbered:
        size = sizes.pop() if sizes else len(numbered)
        batch, numbered = numbered[:size], numbered[size:]
        pair("eliminate_batch", session_id=session_id, messages=json.dumps(batch))


def belief(pair: Pair, session_id: UUID) -> tuple[list[str], str]:
    snapshot = pair("query_belief", session_id=session_id)
    assert isinstance(snapshot, dict)
    return snapshot["survivors"], snapshot["survivors_hash"]


universes = st.lists(ids, min_size=1, max_size=20)


@st.composite
def messages_of(draw: st.DrawFn) -> tuple[list[str], list[list[str]]]:
    universe = draw(universes)
    one = st.sampled_from([*universe, "unknown"])
    return universe, draw(st.lists(st.lists(one, max_size=5), min_size=1, max_size=6))


@PROPERTY
@given(sent=messages_of(), sizes=st.lists(st.integers(1, 4), max_size=4), shuffle=st.randoms())
def test_order_and_grouping_do_not_matter(
    tx: Connection,
    sent: tuple[list[str], list[list[str]]],
    sizes: list[int],
    shuffle: random.Random,
) -> None:
    universe, messages = sent
    with tx.transaction(force_rollback=True):
        pair = Pair(tx)
        first = declared(pair, universe)
        for no, message in enumerate(messages):
            eliminate(pair, first, str(no), message)

        shuffled = shuffle.sample(messages, len(messages))
        second = declared(pair, shuffle.sample(universe, len(universe)))
        send_in_batches(pair, second, shuffled, sizes)

        apart = [[one] for message in messages for one in message]
        shuffle.shuffle(apart)
        third = declared(pair, universe)
        for no, message in enumerate(apart):
            eliminate(pair, third, str(no), message)

        fourth = declared(pair, universe)
        eliminate(pair, fourth, "all", [one for message in messages for one in message])
        survivors = set(universe) - {one for message in messages for one in message}
        expected = sorted(survivors), hash_of(universe, survivors)
        for session_id in (first, second, third, fourth):
            assert belief(pair, session_id) == expected
            pair.check_whole(session_id)


@PROPERTY
@given(sent=messages_of())
def test_nothing_comes_back_and_repeats_change_nothing(
    tx: Connection, sent: tuple[list[str], list[list[str]]]
) -> None:
    universe, messages = sent
    with tx.transaction(force_rollback=True):
        pair = Pair(tx)
        session_id = declared(pair, universe)
        before = set(universe)
        for no, message in enumerate(messages):
            answer = eliminate(pair, session_id, str(no), message)
            after = set(answer["snapshot"]["survivors"])
            assert after == before - set(message)
            assert set(answer["applied_eliminated"]) == before - after
            assert set(answer["ignored_eliminated"]) == set(message) - before
            before = after
        last = pair("query_belief", session_id=session_id)
        for no, message in enumerate(messages):
            again = eliminate(pair, session_id, str(no), message[::-1])
            assert (again["duplicate"], again["snapshot"]) == (True, last)
            # The same word from another observation is a new event that applies nothing.
            other = eliminate(pair, session_id, f"{no} again", message)
            assert (other["duplicate"], other["applied_eliminated"]) == (False, [])
            assert set(other["snapshot"]["survivors"]) == before
            last = other["snapshot"]


@pytest.mark.parametrize("size", sampled(SIZES))
def test_masks_of_every_size(tx: Connection, size: int) -> None:
    universe = [f"{number:x}" for number in range(size)]
    ranks = sorted(universe)
    edges = [ranks[at] for at in (0, 7, 8, 8190, 8191, 8192, 16383, 16384, size - 1) if at < size]
    pick = random.Random(size)
    messages = [edges, pick.sample(universe, size // 3), [*pick.choices(universe, k=50), "?"]]
    with tx.transaction(force_rollback=True):
        pair = Pair(tx)
        forward, backward = declared(pair, universe), declared(pair, universe[::-1])
        for no, message in enumerate(messages):
            eliminate(pair, forward, str(no), message)
        send_in_batches(pair, backward, messages[::-1], [1])
        gone = {one for message in messages for one in message}
        survivors = [one for one in ranks if one not in gone]
        for session_id in (forward, backward):
            expected = survivors, hash_of(universe, survivors)
            assert belief(pair, session_id) == expected
            pair.check_whole(session_id)
        answer = eliminate(pair, forward, "all", universe)
        assert answer["snapshot"]["survivors"] == []
        pair.check_whole(forward)
        # The other session of the same universe has not lost anything by it.
        assert belief(pair, backward)[0] == survivors
