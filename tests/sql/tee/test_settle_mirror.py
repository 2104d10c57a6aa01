"""cmbs.settle_mirror: what came of telling, and when it is tried again."""

import pytest

from cmbs import errors
from cmbs.database.calls import call
from tests.sql.log.test_vectors import set_clock
from tests.support.beliefs import NOBODY, Connection
from tests.support.callers import caller
from tests.tee.graphs import refused, tables
from tests.tee.outbox import NOW, later, mirrored, rows, seqs, settle, take, waits


@pytest.mark.cold
def test_all_that_was_told(tx: Connection) -> None:
    set_clock(tx, NOW)
    session = mirrored(tx, *"abc")
    take(tx)
    assert settle(tx, session, 4) == "delivered"
    assert rows(tx, session) == [(seq, "delivered") for seq in range(1, 5)]
    delivered = tx.execute(
        "select bool_and(delivered_at = cmbs_store.clock()), bool_and(last_error is null) "
        "from cmbs_store.tee_message"
    ).fetchone()
    assert delivered == (True, True)
    before = tables(tx)
    later(tx, 1000)
    assert take(tx) == []
    settle(tx, session, 4)
    settle(tx, session, 4, error="late")
    assert tables(tx) == before, "what was told stays told"


def test_a_part_of_it(tx: Connection) -> None:
    session = mirrored(tx, *"abc")
    take(tx)
    settle(tx, session, 2)
    assert rows(tx, session)[1:3] == [(2, "delivered"), (3, "pending")]
    assert [seqs(one) for one in take(tx)] == [[3, 4]], "at once"


def test_a_part_of_it_and_no_further(tx: Connection) -> None:
    set_clock(tx, NOW)
    session = mirrored(tx, *"abc")
    take(tx)
    assert settle(tx, session, 2, error="it went away") == "pending"
    assert take(tx) == []
    assert waits(tx, session) == 1
    found = tx.execute(
        "select seq, n_attempts, last_error from cmbs.tee_message order by seq"
    ).fetchall()
    assert found[1:] == [(2, 0, None), (3, 1, "it went away"), (4, 0, None)]
    later(tx, 1)
    assert [seqs(one) for one in take(tx)] == [[3, 4]]


def test_each_time_after_longer_and_never_after_more_than_a_minute(tx: Connection) -> None:
    session = mirrored(tx, "a")
    waited, now = [], 0
    for attempt in range(1, 12):
        later(tx, now)
        assert len(take(tx)) == 1
        assert settle(tx, session, 0, error=f"{attempt} " + "x" * 600) == "pending"
        waited.append(waits(tx, session))
        later(tx, now + waited[-1] - 1)
        assert take(tx) == []
        now += waited[-1]
    assert waited == [1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60]
    found = tx.execute("select n_attempts, length(last_error) from cmbs.tee_message order by seq")
    assert found.fetchall() == [(11, 500), (0, None)]


def test_it_is_told_in_the_end(tx: Connection) -> None:
    session = mirrored(tx, "a")
    for now in range(0, 100_000, 100):
        later(tx, now)
        if now == 1000:
            break
        take(tx)
        settle(tx, session, 0, error="no")
    assert [seqs(one) for one in take(tx)] == [[1, 2]]
    settle(tx, session, 1)
    assert [seqs(one) for one in take(tx)] == [[2]]
    settle(tx, session, 2)
    found = tx.execute("select state, last_error from cmbs.tee_message order by seq").fetchall()
    assert found == [("delivered", None)] * 2


def test_what_is_refused_holds_what_follows(tx: Connection) -> None:
    set_clock(tx, NOW)
    session, other = mirrored(tx, *"ab"), mirrored(tx, "a")
    take(tx)
    assert settle(tx, session, 1, error="never", is_refused=True) == "dead"
    assert rows(tx, session) == [(1, "delivered"), (2, "dead"), (3, "pending")]
    settle(tx, other, 2)
    later(tx, 100_000)
    assert take(tx) == []
    session.eliminate("c")
    assert take(tx) == []
    other.eliminate("c")
    assert [one["session_id"] for one in take(tx)] == [str(other.id)]
    dead = tx.execute("select last_error from cmbs.tee_message where state = 'dead'").fetchall()
    assert dead == [("never",)]


def test_what_is_dead_is_not_told_by_settling(tx: Connection) -> None:
    session = mirrored(tx, *"ab")
    take(tx)
    settle(tx, session, 0, error="never", is_refused=True)
    before = tables(tx)
    settle(tx, session, 0, error="again")
    settle(tx, session, 0, error="again", is_refused=True)
    settle(tx, session, 0)
    assert tables(tx) == before


@pytest.mark.parametrize("seq", [0, -1, None])
def test_nothing_was_told(tx: Connection, seq: int) -> None:
    session = mirrored(tx, "a")
    take(tx)
    settle(tx, session, seq)
    assert rows(tx, session) == [(1, "pending"), (2, "pending")]


def test_what_was_written_since_it_was_taken(tx: Connection) -> None:
    session = mirrored(tx, "a")
    take(tx)
    session.eliminate("b")
    settle(tx, session, 2)
    assert [seqs(one) for one in take(tx)] == [[3]]


def test_what_is_not_there(tx: Connection) -> None:
    mirrored(tx, "a")
    before = tables(tx)
    for session_id in (NOBODY, None):
        call(tx, "settle_mirror", session_id=session_id, seq=9, error="x", is_refused=True)
    assert tables(tx) == before


def test_who_may(tx: Connection) -> None:
    session = mirrored(tx, "a")
    for name, role, tenant in (
        ("ann", "admin", None),
        ("eve", "admin", "other"),
        ("bob", "agent", "*"),
        ("cat", "auditor", "*"),
    ):
        sent = {"session_id": session.id, "seq": 2}
        credential = caller(tx, name, role, tenant=tenant)
        refused(tx, errors.Forbidden, "settle_mirror", **sent, credential=credential)
    settle(tx, session, 2, credential=caller(tx, "root", "admin", tenant="*"))
    assert rows(tx, session)[-1] == (2, "delivered")
