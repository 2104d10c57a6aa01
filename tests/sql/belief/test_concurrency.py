"""32 clients at once, some 10,000 calls, twice as many at night: one order of events for all, every
message once, no reader waits."""

import json
import random
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from cmbs.database.calls import call
from tests.support.beliefs import Background, background
from tests.support.crowd import Call, Crowd, Told, crowd_of
from tests.support.oracle import BUNDLE
from tests.support.pair import Connection
from tests.support.servers import until
from tests.support.sizes import size

IDS = [f"h{number:03}" for number in range(300)]
# How many messages a client sends to one session, and to many.
TO_ONE, TO_MANY = size(40, 160), size(50, 200)


@pytest.fixture
def crowd(database: str) -> Iterator[Crowd]:
    with crowd_of(database) as clients:
        yield clients


def elimination(session_id: UUID, source: str, observation: object, ids: list[str]) -> Call:
    arguments = {"session_id": session_id, "source_id": source, "eliminated": ids}
    return "eliminate", arguments | {"observation_id": str(observation), "minimal": True}


def batch(session_id: UUID, messages: Iterable[tuple[str, object, list[str]]]) -> Call:
    sent = [
        {"source_id": source, "observation_id": str(observation), "eliminated": ids}
        for source, observation, ids in messages
    ]
    return "eliminate_batch", {
        "session_id": session_id,
        "messages": json.dumps(sent),
        "minimal": True,
    }


def gate(verb: str, session_id: UUID, **arguments: Any) -> Call:
    return verb, {"session_id": session_id, "minimal": True} | arguments


def the_winner(told: list[Told]) -> Told:
    """Of messages with one identity: the one that was recorded."""
    winners = [one for one in told if one.answer and not one.answer["duplicate"]]
    assert len(winners) == 1
    return winners[0]


def check_repeats(told: list[Told]) -> None:
    """All were the same message: it is recorded once, and everybody learns of the one event."""
    winner = the_winner(told)
    for one in told:
        assert one.error is None
        assert one.answer["audit_event_id"] == winner.answer["audit_event_id"]
        for member in ("applied_eliminated", "ignored_eliminated", "accepted", "approved"):
            assert one.answer.get(member) == winner.answer.get(member)


def check_conflicts(told: list[Told], state: str = "MB102") -> Told:
    """All had another content: one is recorded, the others learn which."""
    winner = the_winner(told)
    for one in told:
        if one is not winner:
            assert one.state == state
            assert one.error is not None
            if state == "MB102":
                assert one.error.details["audit_event_id"] == winner.answer["audit_event_id"]
    return winner


def test_one_session(crowd: Crowd) -> None:
    session_id = crowd.declare(IDS)

    def script(client: int) -> Iterator[Call]:
        pick = random.Random(client)
        for no in range(TO_ONE):
            # Every fourth message comes from several clients, maybe at the same time.
            shared = no % 4 == 0
            source = "shared" if shared else f"client {client}"
            ids = [IDS[no]] if shared else pick.sample(IDS[100:], 2)
            yield elimination(session_id, source, no, ids)

    told = crowd.run(script)
    assert len(told) == 32 * TO_ONE
    assert all(one.error is None for one in told)
    recorded = {one.answer["audit_event_id"] for one in told}
    assert len(recorded) == 32 * TO_ONE * 3 // 4 + TO_ONE // 4
    applied = [h for one in told if not one.answer["duplicate"] for h in _applied(one)]
    assert len(applied) == len(set(applied)), "no hypothesis is eliminated twice"
    assert set(applied) == {h for one in told for h in one.arguments["eliminated"]}


def _applied(told: Told) -> list[str]:
    return list(told.answer["applied_eliminated"])


def test_many_sessions_with_every_verb(crowd: Crowd) -> None:
    sessions = [crowd.declare(IDS[: 8 + no]) for no in range(40)]

    def script(client: int) -> Iterator[Call]:
        pick = random.Random(client)
        for no in range(TO_MANY):
            session_id = pick.choice(sessions)
            some = pick.sample(IDS[:40], 2)
            request = f"{client % 4} {no}" if no % 3 else f"{client} {no}"
            yield pick.choice(
                [
                    elimination(session_id, "s", pick.randrange(50), some[:1]),
                    elimination(session_id, f"{client}", no, some),
                    batch(session_id, [("b", no, some), (f"{client}b", no, some[:1])]),
                    gate(
                        "enter_obligation",
                        session_id,
                        obligation_id=f"o{client % 2}",
                        min_total_eliminations=no % 3,
                        request_id=request,
                    ),
                    gate("request_exit", session_id, obligation_id=f"o{client % 2}"),
                    gate(
                        "waive_obligation",
                        session_id,
                        obligation_id=f"o{client % 2}",
                        reason="r",
                        request_id=f"w{request}",
                    ),
                    gate("declare_conclusion", session_id, conclusion_id="c", request_id=request),
                    gate("query_belief", session_id),
                    gate("request_termination", session_id)
                    if no > TO_MANY * 3 / 4
                    else gate("query_belief", session_id),
                ]
            )

    told = crowd.run(script)
    assert len(told) == 32 * TO_MANY
    assert {one.state for one in told} <= {None, "MB002", "MB101", "MB102"}
    assert {one.verb for one in told if one.answer} >= {
        "eliminate",
        "eliminate_batch",
        "enter_obligation",
        "request_exit",
        "waive_obligation",
        "declare_conclusion",
        "request_termination",
    }


def test_repeats_race(crowd: Crowd) -> None:
    session_id = crowd.declare(IDS)
    for told in crowd.race(
        lambda client: [elimination(session_id, "s", no, IDS[no : no + 3]) for no in range(40)]
    ):
        check_repeats(told)
    for told in crowd.race(
        lambda client: [
            gate("declare_conclusion", session_id, conclusion_id="c", request_id=str(no))
            for no in range(20)
        ]
    ):
        check_repeats(told)
    assert crowd.tell("query_belief", session_id=session_id)["audit_seq"] == 61


def test_conflicting_repeats_race(crowd: Crowd) -> None:
    session_id = crowd.declare(IDS)
    for told in crowd.race(
        lambda client: [elimination(session_id, "s", no, [IDS[client]]) for no in range(40)]
    ):
        check_conflicts(told)
    for told in crowd.race(
        lambda client: [
            gate("declare_conclusion", session_id, conclusion_id=f"{client}", request_id=str(no))
            for no in range(20)
        ]
    ):
        check_conflicts(told)
    assert crowd.tell("query_belief", session_id=session_id)["audit_seq"] == 61


def test_declares_race(crowd: Crowd) -> None:
    sessions = [uuid4() for _ in range(40)]

    def request(no: int, hypotheses: list[str]) -> Call:
        # Each round has a universe of its own, which is registered by the race itself.
        arguments: dict[str, Any] = {"session_id": sessions[no], "ontology": BUNDLE}
        return "declare_session", arguments | {"hypotheses": [f"of {no}", *hypotheses]}

    same = crowd.race(lambda client: [request(no, IDS) for no in range(20)])
    for told in same:
        check_repeats(told)
    other = crowd.race(lambda client: [request(no, IDS[:client]) for no in range(20, 40)])
    for no, told in enumerate(other, 20):
        winner = check_conflicts(told)
        snapshot = crowd.tell("query_belief", session_id=sessions[no])
        assert snapshot["survivors"] == sorted(winner.arguments["hypotheses"])


def test_spaces_race(crowd: Crowd) -> None:
    def request(no: int, hypotheses: list[str]) -> Call:
        name = {"hypothesis_space_id": "s", "hypothesis_version": str(no)}
        return "register_space", name | {"hypotheses": [f"of {no}", *hypotheses]}

    for told in crowd.race(lambda client: [request(no, IDS[::-1]) for no in range(15)]):
        winner = the_winner(told)
        digest = winner.answer["universe_digest"]
        assert {one.answer["universe_digest"] for one in told} == {digest}
    other = crowd.race(lambda client: [request(no, IDS[:client]) for no in range(15, 30)])
    for no, told in enumerate(other, 15):
        winner = the_winner(told)
        assert sorted(one.state or "" for one in told) == ["", *["MB102"] * 31]
        found = crowd.tell("read_space", hypothesis_space_id="s", hypothesis_version=str(no))
        assert found["hypotheses"] == sorted(winner.arguments["hypotheses"])


def test_universes_race(crowd: Crowd) -> None:
    lists = [[f"of {no}", *IDS] for no in range(20)]
    for told in crowd.race(
        lambda client: [("register_universe", {"hypotheses": ids}) for ids in lists]
    ):
        assert {one.answer["n_hypotheses"] for one in told} == {301}
        assert len({one.answer["universe_digest"] for one in told}) == 1
    with psycopg.connect(crowd.database) as connection:
        stored = connection.execute("select count(*) from cmbs_store.universe_member").fetchone()
    assert stored == (20 * 301,)


def test_batches_race_with_singles(crowd: Crowd) -> None:
    session_id = crowd.declare(IDS)

    def messages(no: int) -> list[tuple[str, object, list[str]]]:
        return [("s", 5 * no + part, IDS[5 * no + part :][:2]) for part in range(5)]

    def script(client: int) -> list[Call]:
        if client % 2:
            order = 1 if client % 4 == 1 else -1
            return [batch(session_id, messages(no)[::order]) for no in range(20)]
        return [elimination(session_id, *messages(no)[client // 2 % 5]) for no in range(20)]

    for told in crowd.race(script):
        assert all(one.error is None for one in told)
        new = [event for one in told for event, is_repeat in one.events() if not is_repeat]
        assert len(new) == 5
        assert {event for one in told for event, _ in one.events()} == set(new)
    assert crowd.tell("query_belief", session_id=session_id)["audit_seq"] == 101


def test_a_batch_is_recorded_as_a_whole_or_not_at_all(crowd: Crowd) -> None:
    session_id = crowd.declare(IDS)

    def script(client: int) -> list[Call]:
        # All batches of a round conflict in their last message.
        return [
            batch(
                session_id,
                [(f"{client}", f"{no} {part}", IDS[:part]) for part in range(4)]
                + [("contested", no, [IDS[client]])],
            )
            for no in range(20)
        ]

    for told in crowd.race(script):
        winner = the_winner(told)
        assert len(winner.answer["results"]) == 5
        for one in told:
            if one is not winner:
                assert one.error is not None
                assert (one.state, one.error.details["index"]) == ("MB102", 4)
    assert crowd.tell("query_belief", session_id=session_id)["audit_seq"] == 101


def test_gates_race_with_eliminations(crowd: Crowd) -> None:
    sessions = [crowd.declare(IDS[:24]) for _ in range(20)]
    for session_id in sessions:
        crowd.tell(
            "enter_obligation",
            session_id=session_id,
            obligation_id="o",
            min_total_eliminations=12,
        )

    def script(client: int) -> Iterator[Call]:
        for session_id in sessions:
            if client < 23:
                yield elimination(session_id, "s", client, [IDS[client]])
            elif client < 27:
                yield gate("request_exit", session_id, obligation_id="o")
            elif client < 29:
                yield gate("declare_conclusion", session_id, conclusion_id="c")
            else:
                yield gate("request_termination", session_id, context='{"force": false}')

    told = crowd.run(script)
    assert {one.state for one in told} <= {None, "MB002", "MB101"}
    for session_id in sessions:
        answers = [
            one.answer for one in told if one.answer and one.arguments["session_id"] == session_id
        ]
        exits = [
            one for one in answers if one.get("approved") and not one["snapshot"]["terminated"]
        ]
        assert len(exits) <= 1
        for answer in answers:
            snapshot = answer["snapshot"]
            gone = snapshot["n_hypotheses"] - snapshot["n_survivors"]
            if answer.get("approved"):
                assert gone >= 12
                assert snapshot["active_obligation"] is None


def test_expected_heads_race(crowd: Crowd) -> None:
    session_id = crowd.declare(IDS)
    for no in range(40):
        head = crowd.tell("query_belief", session_id=session_id, minimal=True)
        expected = {"expected_head": UUID(head["audit_head_event_id"])}

        def script(client: int, no: int = no, expected: dict[str, UUID] = expected) -> list[Call]:
            verb, arguments = (
                elimination(session_id, f"{client}", no, [IDS[client]])
                if client % 2
                else gate("declare_conclusion", session_id, conclusion_id="c")
            )
            return [(verb, arguments | expected)]

        (told,) = crowd.race(script)
        check_conflicts(told, "MB103")
    assert crowd.tell("query_belief", session_id=session_id)["audit_seq"] == 41


@pytest.fixture
def calls(database: str) -> Iterator[Background]:
    with background(database) as running:
        yield running


def begun(db: Connection) -> dict[str, Any]:
    session_id = uuid4()
    call(db, "declare_session", session_id=session_id, ontology=BUNDLE, hypotheses=IDS[:4])
    return {"session_id": session_id}


MESSAGE = {"source_id": "s", "observation_id": "o", "eliminated": IDS[:1]}


def test_a_repeat_waits_for_the_first_message(db: Connection, calls: Background) -> None:
    message = begun(db) | MESSAGE
    with db.transaction():
        first = call(db, "eliminate", **message)
        second = calls.call("eliminate", **message)
        third = calls.call("eliminate", **message | {"eliminated": IDS[1:2]})
        calls.wait_until_blocked(2)
    assert second.result() == first | {"duplicate": True}
    with pytest.raises(psycopg.DatabaseError) as refused:
        third.result()
    assert refused.value.sqlstate == "MB102"


def test_a_repeat_is_the_first_if_that_was_rolled_back(db: Connection, calls: Background) -> None:
    message = begun(db) | MESSAGE
    with db.transaction(force_rollback=True):
        first = call(db, "eliminate", **message)
        second = calls.call("eliminate", **message)
        calls.wait_until_blocked()
    answer = second.result()
    assert answer["audit_event_id"] != first["audit_event_id"]
    assert not answer["duplicate"]
    assert call(db, "verify", session_id=message["session_id"])["rows_checked"] == 2


def test_checks_come_after_the_lock(db: Connection, calls: Background) -> None:
    """What a waiting message is refused for is what it finds when it gets the session."""
    session, other = begun(db), begun(db)
    stale = {"expected_head": UUID(call(db, "query_belief", **session)["audit_head_event_id"])}
    with db.transaction():
        call(db, "eliminate", **session | MESSAGE | {"eliminated": IDS[1:4]})
        call(db, "request_termination", **session, request_id="end")
        repeat = calls.call("request_termination", **session, request_id="end", **stale)
        conflict = calls.call("eliminate", **session | MESSAGE | stale)
        moved = calls.call("declare_conclusion", **session | stale, conclusion_id="c")
        late = calls.call("request_exit", **session, obligation_id="nothing")
        unknown = calls.call("request_exit", **other, obligation_id="nothing")
        calls.wait_until_blocked(4)
    assert repeat.result()["duplicate"] is True
    expected = {conflict: "MB102", moved: "MB103", late: "MB101", unknown: "MB002"}
    for refused, state in expected.items():
        error = refused.exception()
        assert isinstance(error, psycopg.Error)
        assert error.sqlstate == state


def test_only_the_session_is_locked(db: Connection, calls: Background) -> None:
    session, other = begun(db), begun(db)
    with db.transaction():
        call(db, "eliminate", **session | MESSAGE)
        assert calls.call("eliminate", **other | MESSAGE).result()["applied_eliminated"] == IDS[:1]
        waiting = calls.call("eliminate", **session | MESSAGE | {"observation_id": "2"})
        calls.wait_until_blocked()
        locks = db.execute(
            "select l.relation::regclass::text from pg_locks as l where l.locktype = 'tuple' "
            "and l.database = (select d.oid from pg_database as d "
            "where d.datname = current_database())"
        ).fetchall()
        assert locks == [("cmbs_store.session",)]
    assert waiting.result()["applied_eliminated"] == []


def test_readers_never_wait(db: Connection, database: str) -> None:
    session = begun(db)
    with psycopg.connect(database, autocommit=True) as reader, db.transaction():
        before = call(reader, "query_belief", **session)
        written = call(db, "eliminate", **session | MESSAGE)
        call(db, "register_space", hypothesis_space_id="s", hypothesis_version="1", hypotheses=IDS)
        # A reader that came to wait for any lock would be refused.
        reader.execute("set lock_timeout = '1ms'")
        assert call(reader, "query_belief", **session) == before
        head = UUID(before["audit_head_event_id"])
        assert call(reader, "query_belief", **session, as_of=head) == before
        assert len(call(reader, "audit_trace", **session)["events"]) == 1
        assert call(reader, "why", **session, hypothesis_id=IDS[0])["survives"] is True
        assert call(reader, "verify", **session)["rows_checked"] == 1
        assert len(call(reader, "list_sessions")["sessions"]) == 1
        assert reader.execute("select count(*) from cmbs.survivor").fetchone() == (4,)
        with pytest.raises(psycopg.errors.LockNotAvailable):
            call(reader, "eliminate", **session | MESSAGE)
    assert call(db, "query_belief", **session) == written["snapshot"]


def test_a_deadlock_would_be_counted(database: str) -> None:
    """The crowd's last check can fail."""
    counted = "select deadlocks from pg_stat_database where datname = current_database()"
    blocked = "select wait_event_type from pg_stat_activity where pid = %s"
    lock = "select pg_advisory_xact_lock(%s)"
    with psycopg.connect(database, autocommit=True) as watcher, ThreadPoolExecutor(1) as worker:
        assert watcher.execute(counted).fetchone() == (0,)
        with psycopg.connect(database) as one, psycopg.connect(database) as two:
            one.execute(lock, [1])
            two.execute("set local deadlock_timeout = '10ms'")
            two.execute(lock, [2])
            waiting = worker.submit(one.execute, lock, [2])
            pid = one.info.backend_pid
            until(lambda: watcher.execute(blocked, [pid]).fetchone() == ("Lock",))
            with pytest.raises(psycopg.errors.DeadlockDetected):
                two.execute(lock, [1])
            two.rollback()
            waiting.result()
        until(lambda: watcher.execute(counted).fetchone() == (1,))
