"""Any sequence of messages: belief only shrinks, and the log alone tells all of it."""

import json
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cmbs import verify
from cmbs.answers import AuditEntry, BeliefServerError, timestamp, timestamp_text
from cmbs.audit_log import FileAuditLog, restore_all
from cmbs.belief_server import BeliefServer
from cmbs.kernel.canonical import canonical, parse
from tests.library.kit import (
    Store,
    check,
    core_of,
    declared,
    refused,
    send,
    state,
    told_by,
    unhurried,
    verified,
)

NAMES = ["a", "b c", "é", "e\u0301", "\U0001f52c", '"', "\\", "\n", "\x01", "\u2028", "z" * 512]
names = st.sampled_from(NAMES)
some = st.lists(st.sampled_from([*NAMES, "nowhere", "x"]), max_size=6)
numbers = st.one_of(
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.decimals(allow_nan=False, allow_infinity=False, places=3),
    st.sampled_from([Decimal("1.10"), Decimal("-0.00"), Decimal("1E+3"), 10**400]),
)
texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, texts),
    lambda inside: st.one_of(st.lists(inside, max_size=3), st.dictionaries(texts, inside)),
    max_leaves=6,
)
objects = st.one_of(st.none(), st.just({"force": True}), st.dictionaries(texts, values))
notes = st.one_of(st.none(), texts)
requests = st.one_of(st.none(), st.sampled_from(["r", "R"]))
messages = st.fixed_dictionaries(
    {"source_id": names, "observation_id": names, "eliminated": some},
    optional={"justification": objects, "notes": notes},
)


def call(verb: str, **arguments: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.tuples(st.just(verb), st.fixed_dictionaries(arguments))


about = {"request_id": requests, "notes": notes}
calls = st.one_of(
    messages.map(lambda message: ("eliminate", message)),
    call("eliminate_batch", messages=st.lists(messages, min_size=1, max_size=3)),
    call(
        "enter_obligation", obligation_id=names, min_total_eliminations=st.integers(0, 4), **about
    ),
    call("request_exit", obligation_id=names, context=objects, **about),
    call("waive_obligation", obligation_id=names, reason=names, **about),
    call("declare_conclusion", conclusion_id=st.sampled_from("cd"), context=objects, **about),
    call("request_termination", context=objects, **about),
)
policies = st.one_of(
    st.none(),
    st.fixed_dictionaries(
        {},
        optional={
            "validate_hypotheses": st.booleans(),
            "allow_forced_termination": st.booleans(),
            "stability_window": st.integers(0, 2),
        },
    ),
)
universes = st.sets(names, min_size=1)


@unhurried
@given(universes, policies, objects, st.lists(calls, max_size=25))
def test_the_log_alone_tells_all(
    universe: set[str], policy: Any, metadata: Any, sequence: list[Any]
) -> None:
    with TemporaryDirectory() as folder, FileAuditLog(Path(folder) / "log") as log:
        store = Store()
        server = BeliefServer(store=store, audit_log=log)
        session_id = declared(server, universe, policy=policy, metadata=metadata)
        survivors, codes = universe, []
        for message in sequence:
            before = state(server, session_id)
            try:
                answer = send(server, session_id, message)
            except BeliefServerError as error:
                codes.append(error.code)
                assert state(server, session_id) == before
                continue
            if answer.duplicate:
                assert state(server, session_id)[1:] == before[1:]
            now = set(answer.snapshot.survivors)
            assert now <= survivors, "nothing ever comes back"
            assert store.get_survivors(session_id) == core_of(server, session_id).survivors == now
            survivors = now
        assert {*codes} <= {
            *("CONFLICT", "OBLIGATION_NOT_FOUND", "SESSION_TERMINATED", "INVALID_HYPOTHESIS_ID")
        }
        session = server._sessions.of(session_id).session
        assert session.universe.members(session.mask) == sorted(session.core.survivors)
        (found,) = verify.check(log.path)
        assert (found.ok, found.rows_checked) == (True, len(server.audit_trace(session_id)))
        lines = log.path.read_bytes().splitlines(keepends=True)
        verified(lines, server.query_belief(session_id))
        assert log.entries(session_id) == server.audit_trace(session_id)
        other = BeliefServer()
        restore_all(other, store, log)
        assert state(other, session_id) == state(server, session_id)


@unhurried
@given(universes, st.lists(st.tuples(names, some), unique_by=lambda one: one[0]), st.randoms())
def test_the_order_of_messages_does_not_matter(
    universe: set[str], sent: list[Any], random: Any
) -> None:
    shuffled = sent + sent
    random.shuffle(shuffled)
    ends = []
    for order in (sent, shuffled):
        server = BeliefServer()
        session_id = declared(server, universe)
        for observation_id, asked in order:
            server.eliminate(session_id, "s", observation_id, asked)
        ends.append(server.query_belief(session_id))
    one, other = ends
    assert one.survivors == other.survivors == sorted(universe.difference(*(a for _, a in sent)))
    assert one.survivors_hash == other.survivors_hash
    assert one.audit_seq == other.audit_seq == 1 + len(sent), "a repeat is no event"


@unhurried
@given(universes, st.lists(messages, min_size=1, max_size=12))
def test_one_by_one_is_as_in_a_batch(universe: set[str], sent: list[dict[str, Any]]) -> None:
    single, batch = BeliefServer(), BeliefServer()
    one, other = declared(single, universe), declared(batch, universe)
    answers, codes = [], set()
    for message in sent:
        try:
            answers.append(single.eliminate(one, **message))
        except BeliefServerError as error:
            codes.add(error.code)
    if codes:
        before = state(batch, other)
        refused("CONFLICT", batch.eliminate_batch, other, sent)
        assert (state(batch, other), codes) == (before, {"CONFLICT"})
        return
    results = batch.eliminate_batch(other, sent).results
    for answer, result in zip(answers, results, strict=True):
        assert (result.applied, result.ignored) == (answer.applied, answer.ignored)
        assert result.duplicate is answer.duplicate
    payloads = [
        [(entry.payload, entry.notes, entry.delta) for entry in entries]
        for entries in (single.audit_trace(one), batch.audit_trace(other))
    ]
    assert payloads[0] == payloads[1]
    assert single.query_belief(one).survivors_hash == batch.query_belief(other).survivors_hash


@unhurried
@given(objects)
def test_values_come_back_as_they_were(value: Any) -> None:
    server = BeliefServer()
    session_id = declared(server, ["a"])
    server.declare_conclusion(session_id, "c", value)
    entry = server.audit_trace(session_id)[-1]
    expected = canonical(value or {})
    assert canonical(entry.payload["context"]) == expected
    assert f'"context": {expected}' in entry.record()
    again = AuditEntry.from_record(entry.record(), entry.event_hash)
    assert canonical(again.to_dict()) == canonical(entry.to_dict())
    assert verify.canonical(verify.parse(expected)) == expected


def test_digits_of_numbers_are_kept(server: BeliefServer, session_id: str) -> None:
    sent = {
        "k": [Decimal("1.10"), Decimal("100.00"), Decimal("1E+2"), Decimal("-0.0"), 0.5, 10**30]
    }
    server.eliminate(session_id, "s", "1", ["a"], sent)
    entry = server.audit_trace(session_id)[-1]
    assert '"justification": {"k": [1.10, 100.00, 100, 0.0, 0.5, 1000000' in entry.record()
    kept = entry.payload["justification"]["k"]
    assert [str(one) for one in kept[:3]] == ["1.10", "100.00", "100"]
    assert json.loads(entry.record())["payload"]["justification"]["k"][4] == 0.5
    check(server, session_id)


@unhurried
@given(st.integers(0, 8_589_934_591_999_999))
def test_no_microsecond_is_lost(microseconds: int) -> None:
    text = timestamp_text(microseconds / 1e6)
    assert timestamp_text(timestamp(text)) == text
    assert timestamp(text) == microseconds / 1e6
    assert parse(canonical(text)) == text


def test_what_is_told_of_a_session_is_enough(server: BeliefServer, session_id: str) -> None:
    server.eliminate(session_id, "s", "1", ["a"])
    told = told_by(server, session_id)
    assert (told.eliminated, told.survivors) == ({"a"}, {"b", "c", "d"})
