"""cmbs.list_sessions"""

import re
from typing import Any

import psycopg
import pytest
from psycopg.types.json import Json

from cmbs import errors
from cmbs.database.calls import call
from tests.support.beliefs import ONTOLOGY, Connection, Session, refused


def pages(connection: Connection, limit: int, **filters: object) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    cursor = None
    while True:
        page = call(connection, "list_sessions", limit=limit, cursor=cursor, **filters)
        assert len(page["sessions"]) <= limit
        found += page["sessions"]
        cursor = page["next_cursor"]
        if cursor is None:
            return found
        assert len(page["sessions"]) == limit


def ids(sessions: list[dict[str, Any]]) -> list[str]:
    return [session["session_id"] for session in sessions]


def space(name: str) -> Json:
    return Json({**ONTOLOGY, "hypothesis_space_id": name})


def stop_the_clock(connection: Connection) -> None:
    connection.execute(
        "create or replace function cmbs_store.clock() returns timestamptz language sql volatile "
        "as $$ select timestamptz '2026-01-01 00:00:00.123456+00' $$"
    )


@pytest.mark.parametrize("limit", [1, 2, 3, 6, 7, 500])
def test_newest_first(tx: Connection, limit: int) -> None:
    sessions = [Session(tx) for _ in range(7)]
    sessions[3].eliminate("a", "b")
    found = pages(tx, limit)
    assert ids(found) == [str(session.id) for session in reversed(sessions)]
    minimal = sessions[3].snapshot(minimal=True)
    assert found[3] == minimal
    assert "survivors" not in minimal


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_stable_when_declared_at_the_same_time(tx: Connection, limit: int) -> None:
    stop_the_clock(tx)
    sessions = {str(Session(tx).id) for _ in range(7)}
    found = ids(pages(tx, limit))
    assert found == sorted(sessions, reverse=True)


@pytest.mark.cold
def test_what_is_declared_meanwhile_shifts_nothing(tx: Connection) -> None:
    sessions = [Session(tx) for _ in range(4)]
    first = call(tx, "list_sessions", limit=2)
    Session(tx)
    second = call(tx, "list_sessions", limit=2, cursor=first["next_cursor"])
    assert ids(first["sessions"] + second["sessions"]) == [str(s.id) for s in reversed(sessions)]


def test_filters(tx: Connection) -> None:
    sessions = [Session(tx, "a", ontology=space(name)) for name in "xyxyx"]
    for session in sessions[:3]:
        session.terminate()
    names = [str(session.id) for session in sessions]
    newest = names[::-1]
    for limit in (1, 2, 50):
        assert ids(pages(tx, limit, terminated=True)) == newest[2:]
        assert ids(pages(tx, limit, terminated=False)) == newest[:2]
        assert ids(pages(tx, limit, hypothesis_space_id="y")) == [names[3], names[1]]
        both = {"terminated": True, "hypothesis_space_id": "x"}
        assert ids(pages(tx, limit, **both)) == [names[2], names[0]]
        assert pages(tx, limit, hypothesis_space_id="z") == []


def test_the_default_page(tx: Connection) -> None:
    for _ in range(51):
        Session(tx, "a", minimal=True)
    page = call(tx, "list_sessions")
    assert len(page["sessions"]) == 50
    rest = call(tx, "list_sessions", limit=None, cursor=page["next_cursor"])
    assert (len(rest["sessions"]), rest["next_cursor"]) == (1, None)


def test_none(tx: Connection) -> None:
    assert call(tx, "list_sessions") == {"sessions": [], "next_cursor": None}


@pytest.mark.parametrize("limit", [0, -1, 501])
def test_limits(tx: Connection, limit: int) -> None:
    error = refused(tx, errors.InvalidRequest, "list_sessions", limit=limit)
    assert error.details["member"] == "limit"


@pytest.mark.parametrize(
    "change",
    [
        (r".*", ""),
        (r".*", "x"),
        (r"_.*", ""),
        (r"Z_", "Z "),
        (r"$", "0"),
        (r"^\d+", "0000"),
        (r"-\d\d-", "-13-"),
        (r"T..", "T99"),
        (r"_.{8}", "_--------"),
        (r"T[0-9:.]+", "T..............."),
        (r"$", "' or true --"),
        (r"$", "\n"),
    ],
)
def test_a_cursor_that_we_did_not_give(tx: Connection, change: tuple[str, str]) -> None:
    for _ in range(2):
        Session(tx)
    cursor = call(tx, "list_sessions", limit=1)["next_cursor"]
    wrong = re.sub(change[0], change[1], cursor, count=1)
    # Of the form of a cursor but no time or no uuid: the cast refuses it, which is class 22.
    error = refused(tx, psycopg.DatabaseError, "list_sessions", cursor=wrong)
    assert errors.classify(error) == ("INVALID_REQUEST", 400)
