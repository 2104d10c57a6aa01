"""cmbs.identify"""

from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from cmbs import errors
from cmbs.database.calls import call
from tests.sql.log.test_vectors import set_clock
from tests.support.beliefs import Connection, background, refused
from tests.support.callers import caller, digest, principal, token_id


def used_at(connection: Connection) -> list[datetime]:
    return [row[0] for row in connection.execute("select used_at from cmbs_store.api_token_use")]


@pytest.mark.cold
def test_a_login_that_nobody_registered(tx: Connection) -> None:
    assert call(tx, "identify") == {
        "name": "postgres",
        "tenant": "*",
        "kind": None,
        "roles": ["agent", "encoder", "tool", "policy", "approver", "auditor", "admin"],
        "source_prefixes": None,
        "is_open": True,
        "token": None,
    }
    principal(tx, "ann")
    assert call(tx, "identify")["is_open"] is False


def test_the_holder_of_a_token(tx: Connection) -> None:
    mine = caller(tx, "ann", "agent", "auditor", prefixes=["b", "a"], tenant="acme")
    found = call(tx, "identify", credential=mine)
    shown = found.pop("token")
    assert found == {
        "name": "ann",
        "tenant": "acme",
        "kind": "agent",
        "roles": ["agent", "auditor"],
        "source_prefixes": ["a", "b"],
        "is_open": False,
    }
    assert (shown["token_id"], shown["prefix"]) == (str(token_id(mine)), "cmbs_test")
    assert shown["last_used_at"] is not None
    assert mine.hex() not in str(shown), "what the holder shows is nowhere to be read"


def test_its_use_is_noted_once_an_hour(tx: Connection) -> None:
    begin = datetime.now(UTC).replace(microsecond=0)
    mine = caller(tx, "ann")
    for later, noted in (
        (timedelta(0), timedelta(0)),
        (timedelta(minutes=59, seconds=59), timedelta(0)),
        (timedelta(hours=1), timedelta(hours=1)),
    ):
        set_clock(tx, (begin + later).strftime("%Y-%m-%dT%H:%M:%S.%fZ"))
        call(tx, "identify", credential=mine)
        assert used_at(tx) == [begin + noted]


def test_it_is_not_noted_where_nothing_can_be_written(db: Connection) -> None:
    mine = caller(db, "ann")
    with db.transaction():
        db.execute("set transaction read only")
        assert call(db, "identify", credential=mine)["name"] == "ann"
    assert used_at(db) == []


def test_no_other_verb_notes_it(tx: Connection) -> None:
    call(tx, "tenant", credential=caller(tx, "ann"))
    assert used_at(tx) == []


@pytest.mark.parametrize("credential", [digest("nobody's"), b"", b"x" * 31, b"x" * 33])
def test_refused(tx: Connection, credential: bytes) -> None:
    caller(tx, "ann")
    error = refused(tx, errors.Unauthenticated, "identify", credential=credential)
    assert error.details == {"credential": "unknown"}


def test_two_at_once(database: str) -> None:
    with background(database) as calls, psycopg.connect(database, autocommit=True) as first:
        mine = caller(first, "ann")
        with first.transaction():
            call(first, "identify", credential=mine)
            second = calls.call("identify", credential=mine)
            calls.wait_until_blocked()
        assert second.result()["name"] == "ann"
        assert len(used_at(first)) == 1
