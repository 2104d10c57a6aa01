"""cmbs.take_mirror: what a Tee is to be told, in order, by one at a time."""

from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import psycopg
import pytest
from psycopg.types.json import Json

from cmbs import errors
from cmbs.database.calls import call
from tests.sql.log.test_vectors import set_clock
from tests.sql.schema.test_privileges import logged_in
from tests.support.beliefs import Connection, message
from tests.support.callers import caller
from tests.tee.graphs import begin, edge, edge_id, merge, node, refused, rule_out, seed, tables
from tests.tee.outbox import NOW, later, mirrored, rows, seqs, settle, take

FROM = Json({"hypothesis_space_id": "s", "hypothesis_version": "1", "causal_graph_ref": "g"})


@pytest.mark.cold
def test_what_is_told(tx: Connection) -> None:
    set_clock(tx, NOW)
    session = mirrored(tx)
    session.eliminate("b", "a", "nope", source_id="src", observation_id="seen")
    (taken,) = take(tx)
    common = {"incident_id": str(session.id), "recorded_at": "2090-01-01T00:00:00.000000Z"}
    first = {"seq": 1, "source_id": None, "observation_id": None, "eliminated": []}
    second = {"seq": 2, "source_id": "src", "observation_id": "seen", "eliminated": ["a", "b"]}
    assert taken == {
        "session_id": str(session.id),
        "messages": [
            common | first | {"universe": list("abcd")},
            common | second | {"universe": None},
        ],
    }


def test_a_session_of_an_incident_is_that_incident(tx: Connection) -> None:
    merge(tx, [node("a|"), node("b"), node("c")], [edge("a|", "b")])
    begin(tx)
    rule_out(tx, "c")
    from_incident = {"ontology": FROM, "universe_from": Json({"tee_incident": "i", "edges": True})}
    session = mirrored(tx, hypotheses=None, **from_incident)
    session.eliminate("b")
    (taken,) = take(tx)
    assert {one["incident_id"] for one in taken["messages"]} == {"i"}
    assert [one["universe"] for one in taken["messages"]] == [None] * 3
    told = [(one["source_id"], one["eliminated"]) for one in taken["messages"]]
    assert told == [(None, []), ("tee", ["c"]), ("source", ["b", edge_id("a|", "b")])]


def test_none_where_nothing_was_eliminated(tx: Connection) -> None:
    session = mirrored(tx)
    session.eliminate("a", observation_id="one")
    session.eliminate("a", observation_id="one")
    session.eliminate("a", observation_id="two")
    session.eliminate("nope")
    session.eliminate()
    session.conclude()
    session.enter()
    session.eliminate("b")
    assert rows(tx, session) == [(1, "pending"), (2, "pending"), (8, "pending")]
    assert [seqs(one) for one in take(tx)] == [[1, 2, 8]]


def test_one_for_each_event_of_a_batch_that_eliminates(tx: Connection) -> None:
    session = mirrored(tx)
    session.batch(
        message("a", "b", observation_id="1"),
        message("a", observation_id="2"),
        message("c", "a", observation_id="3"),
        message("a", "b", observation_id="1"),
        message(observation_id="4"),
    )
    assert rows(tx, session) == [(1, "pending"), (2, "pending"), (4, "pending")]
    (taken,) = take(tx)
    told = [one["eliminated"] for one in taken["messages"]]
    assert told == [[], ["a", "b"], ["c"]]


def test_nor_of_what_was_undone(db: Connection) -> None:
    session = mirrored(db)
    before = tables(db)
    with db.transaction(force_rollback=True):
        session.eliminate("a")
        other = mirrored(db, "a")
        assert len(take(db)) == 2
    assert tables(db) == before
    assert rows(db, other) == []
    with pytest.raises(errors.Conflict):
        session.batch(
            message("a", observation_id="1"), message("b", observation_id="1"), minimal=True
        )
    assert rows(db, session) == [(1, "pending")]


def test_a_large_universe(tx: Connection) -> None:
    """Whose mask is kept in chunks, and one by one as well as in a batch."""
    ids = sorted(f"n{number}" for number in range(20_000))
    session = mirrored(tx, hypotheses=ids)
    session.eliminate("n1", minimal=True)
    session.batch(message("n2", "n19999", observation_id="2"), minimal=True)
    (taken,) = take(tx)
    assert taken["messages"][0]["universe"] == ids
    assert [one["eliminated"] for one in taken["messages"]] == [[], ["n1"], ["n19999", "n2"]]


def test_the_oldest_first_and_twenty_at_a_time(tx: Connection) -> None:
    ids = [f"n{number:02}" for number in range(30)]
    session = mirrored(tx, *ids, hypotheses=ids)
    assert [seqs(one) for one in take(tx)] == [[*range(1, 21)]]
    settle(tx, session, 20)
    assert [seqs(one) for one in take(tx)] == [[*range(21, 32)]]


def test_nobody_else_has_it_for_a_while(tx: Connection) -> None:
    set_clock(tx, NOW)
    session = mirrored(tx, "a")
    first = take(tx)
    assert take(tx) == []
    session.eliminate("b")
    assert take(tx) == [], "nor what has come since then, as it comes after"
    later(tx, 29)
    assert take(tx) == []
    later(tx, 61)
    (again,) = take(tx)
    assert again["messages"][:2] == first[0]["messages"]
    assert seqs(again) == [1, 2, 3]


def test_in_the_order_of_ids_after_one(tx: Connection) -> None:
    ids = sorted(str(mirrored(tx).id) for _ in range(5))
    with tx.transaction(force_rollback=True):
        assert [one["session_id"] for one in take(tx, limit=2)] == ids[:2]
        assert [one["session_id"] for one in take(tx, limit=2)] == ids[2:4]
    assert [one["session_id"] for one in take(tx, after=UUID(ids[2]))] == ids[3:]
    assert [one["session_id"] for one in take(tx)] == ids[:3]


def test_of_every_session_whatever_its_id(tx: Connection) -> None:
    for number in (0, 2**128 - 1):
        session = mirrored(tx, session_id=UUID(int=number))
        (taken,) = take(tx)
        assert taken["session_id"] == str(session.id)
        settle(tx, session, 1)


def test_the_next_are_taken_where_the_first_are_others(tx: Connection) -> None:
    sessions = [mirrored(tx) for _ in range(4)]
    taken = [one["session_id"] for _ in range(5) for one in take(tx, limit=1)]
    assert taken == sorted(str(session.id) for session in sessions)


@pytest.mark.parametrize("limit", [0, -1, 101, None])
def test_a_bad_limit(tx: Connection, limit: int | None) -> None:
    refused(tx, errors.InvalidRequest, "take_mirror", limit=limit)


def test_by_the_server_itself_and_by_administrators_of_all(tx: Connection) -> None:
    session = mirrored(tx, "a")
    for name, role, tenant in (
        ("ann", "admin", None),
        ("eve", "admin", "other"),
        ("bob", "agent", "*"),
        ("cat", "auditor", "*"),
    ):
        credential = caller(tx, name, role, tenant=tenant)
        refused(tx, errors.Forbidden, "take_mirror", credential=credential)
    with logged_in(tx, "cmbs_server"):
        assert len(take(tx)) == 1
        assert settle(tx, session, 1) == "delivered"
        assert len(take(tx)) == 1
    mirrored(tx)
    assert len(take(tx, credential=caller(tx, "root", "admin", tenant="*"))) == 1


def test_two_take_different_ones(database: str) -> None:
    with (
        psycopg.connect(database, autocommit=True) as connection,
        psycopg.connect(database, autocommit=True) as other,
    ):
        sessions = [mirrored(connection, "a") for _ in range(4)]
        other.execute("set lock_timeout = '5s'")
        with connection.transaction():
            mine = take(connection, limit=2)
            theirs = take(other)
            assert len(mine) == len(theirs) == 2, "those that are being taken are passed over"
        assert take(other) == take(connection) == []
        taken = [one["session_id"] for one in mine + theirs]
        assert sorted(taken) == sorted(str(session.id) for session in sessions)


def test_many_take_each_once(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        sessions = [mirrored(connection, "a", "b") for _ in range(30)]

        def some(_: int) -> list[tuple[str, list[int]]]:
            with psycopg.connect(database, autocommit=True) as worker:
                return [(one["session_id"], seqs(one)) for one in take(worker, limit=4)]

        with ThreadPoolExecutor(4) as workers:
            taken = [one for found in workers.map(some, range(16)) for one in found]
        assert sorted(taken) == sorted((str(session.id), [1, 2, 3]) for session in sessions)


def test_who_eliminates_waits_for_nobody(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        session = mirrored(connection, "a")
        with psycopg.connect(database, autocommit=True) as worker:
            connection.execute("set lock_timeout = '5s'")
            with worker.transaction():
                assert len(take(worker)) == 1
                session.eliminate("b")
                settle(worker, session, 2)
        assert rows(connection, session) == [(1, "delivered"), (2, "delivered"), (3, "pending")]
        assert [seqs(one) for one in take(connection)] == [[3]]


def test_a_session_of_another_database_is_not_told(tx: Connection) -> None:
    seed(tx)
    with tx.transaction(force_rollback=True):
        session = mirrored(tx, "a")
        records = tx.execute(
            "select string_agg(record, e'\\n' order by seq) from cmbs_store.audit_event "
            "where session_id = %s",
            [session.id],
        ).fetchone()
    assert records
    call(tx, "set_mirror", endpoint="tee:1")
    call(tx, "register_universe", hypotheses=list("abcd"))
    call(tx, "import_events", session_id=session.id, records=records[0])
    session.eliminate("b", observation_id="new")
    assert rows(tx, session) == []
