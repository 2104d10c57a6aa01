"""cmbs.retry_mirror: everything of a session is told again, from its first event on."""

from typing import Any
from uuid import UUID

import psycopg
import pytest

from cmbs import errors
from cmbs.database.calls import call
from tests.sql.log.test_vectors import set_clock
from tests.support.beliefs import NOBODY, Connection, Session
from tests.support.callers import caller
from tests.tee.graphs import refused, tables
from tests.tee.outbox import NOW, mirrored, rows, seqs, settle, take


def retry(connection: Connection, session: Session | None = None, **more: object) -> Any:
    return call(connection, "retry_mirror", session_id=session and session.id, **more)


def killed(connection: Connection, **more: object) -> Session:
    session = mirrored(connection, *"ab", **more)
    take(connection)
    settle(connection, session, 1, error="never", is_refused=True)
    return session


@pytest.mark.cold
def test_of_what_is_dead(tx: Connection) -> None:
    set_clock(tx, NOW)
    session = killed(tx)
    assert retry(tx, session) == {"n_sessions": 1, "n_messages": 3}
    found = tx.execute(
        "select state, n_attempts, last_error, delivered_at from cmbs.tee_message"
    ).fetchall()
    assert found == [("pending", 0, None, None)] * 3
    assert [seqs(one) for one in take(tx)] == [[1, 2, 3]]


def test_of_what_was_told(tx: Connection) -> None:
    session = mirrored(tx, "a")
    take(tx)
    settle(tx, session, 2)
    retry(tx, session)
    assert [seqs(one) for one in take(tx)] == [[1, 2]]


def test_of_every_session_of_which_something_is_dead(tx: Connection) -> None:
    dead = [killed(tx), killed(tx)]
    waiting, told = mirrored(tx, "a"), mirrored(tx)
    settle(tx, told, 1)
    call(tx, "set_mirror", endpoint=None)
    unmirrored = Session(tx)
    assert retry(tx) == {"n_sessions": 2, "n_messages": 6}
    assert all(rows(tx, one) == [(seq, "pending") for seq in (1, 2, 3)] for one in dead)
    assert rows(tx, waiting) == [(1, "pending"), (2, "pending")]
    assert rows(tx, told) == [(1, "delivered")]
    assert retry(tx) == {"n_sessions": 0, "n_messages": 0}
    assert retry(tx, unmirrored)["n_messages"] == 0


def test_whatever_its_id(tx: Connection) -> None:
    session = mirrored(tx, "a", session_id=UUID(int=0))
    settle(tx, session, 0, error="never", is_refused=True)
    assert retry(tx) == {"n_sessions": 1, "n_messages": 2}


def test_again_is_no_harm(tx: Connection) -> None:
    set_clock(tx, NOW)
    session = killed(tx)
    retry(tx, session)
    before = tables(tx)
    assert retry(tx, session) == {"n_sessions": 1, "n_messages": 3}
    assert tables(tx) == before


def test_who_was_telling_the_rest_has_not_told_the_first(database: str) -> None:
    """What is told again is told again, also if somebody was telling the rest of it meanwhile."""
    with (
        psycopg.connect(database, autocommit=True) as connection,
        psycopg.connect(database, autocommit=True) as worker,
    ):
        session = mirrored(connection, *"ab")
        take(worker, limit=1)
        settle(worker, session, 1)
        assert [seqs(one) for one in take(worker)] == [[2, 3]]
        retry(connection, session)
        settle(worker, session, 3, first_seq=2)
        assert rows(connection, session)[0] == (1, "pending"), "nobody has told the first again"


def test_what_is_not_there(tx: Connection) -> None:
    mirrored(tx, "a")
    refused(tx, errors.SessionNotFound, "retry_mirror", session_id=NOBODY)


def test_by_administrators_of_all_tenants(tx: Connection) -> None:
    session = killed(tx)
    for name, role, tenant in (
        ("ann", "admin", None),
        ("eve", "admin", "other"),
        ("bob", "agent", "*"),
        ("cat", "auditor", "*"),
    ):
        sent = {"session_id": session.id, "credential": caller(tx, name, role, tenant=tenant)}
        refused(tx, errors.Forbidden, "retry_mirror", **sent)
        refused(tx, errors.Forbidden, "retry_mirror", credential=sent["credential"])
    operator = caller(tx, "root", "admin", tenant="*")
    assert retry(tx, session, credential=operator)["n_messages"] == 3
