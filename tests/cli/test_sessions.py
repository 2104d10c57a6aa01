"""`cmbs sessions`: which there are, and its filters."""

import json
import re
from typing import Any

import pytest
from psycopg.types.json import Json

from tests.support.beliefs import ONTOLOGY, Connection, Session
from tests.support.commands import Run, on, table

RELATIVE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d \((now|\d+ (s|min) ago)\)")


@pytest.fixture
def cmbs(database: str) -> Run:
    return on(database)


@pytest.fixture
def sessions(db: Connection) -> dict[str, Session]:
    """One of each state, in the order in which they were declared."""
    found = {"terminated": Session(db, "ab", policy=Json({"allow_forced_termination": True}))}
    found["terminated"]("request_termination", context=Json({"force": True}))
    found["stuck"] = Session(
        db, "abcd", ontology=Json({**ONTOLOGY, "hypothesis_space_id": "other"})
    )
    found["stuck"].enter("look first", 2)
    found["stuck"].eliminate("a")
    found["open"] = Session(db, "abc")
    return found


def states(cmbs: Run, *arguments: str) -> list[str]:
    done = cmbs("sessions", *arguments)
    assert done.returncode == 0
    return [row["state"] for row in table(done.stdout)] if done.stdout else []


def test_each_with_how_far_it_is(cmbs: Run, sessions: dict[str, Session]) -> None:
    done = cmbs("sessions")
    assert (done.returncode, done.stderr) == (0, "")
    rows = table(done.stdout)
    assert [row["session"] for row in rows] == [
        str(sessions[state].id) for state in ("open", "stuck", "terminated")
    ]
    for row in rows:
        assert RELATIVE.fullmatch(row.pop("last event"))
    stuck = rows[1]
    del stuck["session"]
    assert stuck == {
        "state": "stuck",
        "survivors": "3 of 4",
        "obligation": "look first",
        "events": "3",
        "space": "other",
    }


def test_filters(cmbs: Run, sessions: dict[str, Session]) -> None:
    assert states(cmbs) == ["open", "stuck", "terminated"]
    for state in sessions:
        assert states(cmbs, "--state", state) == [state]
    assert states(cmbs, "--space", "other") == ["stuck"]
    assert states(cmbs, "--space", "nothing") == []
    assert states(cmbs, "--tenant", "default") == ["open", "stuck", "terminated"]
    assert states(cmbs, "--tenant", "acme") == []
    assert states(cmbs, "--since", "1h") == ["open", "stuck", "terminated"]


def test_since_looks_at_the_last_event(
    cmbs: Run, db: Connection, sessions: dict[str, Session]
) -> None:
    old = [sessions[state].id for state in ("open", "stuck")]
    db.execute(
        "update cmbs_store.session set audit_head_at = audit_head_at - interval '3 hours' "
        "where session_id = any (%s)",
        [old],
    )
    assert states(cmbs, "--since", "30m") == ["terminated"]
    assert states(cmbs, "--since", "1d", "--state", "stuck") == ["stuck"]


def test_a_long_list_goes_on(cmbs: Run, sessions: dict[str, Session]) -> None:
    first = cmbs("sessions", "--limit", "2")
    last = sessions["stuck"].id
    assert first.stderr == f"cmbs: there may be more: --before {last}, or another --limit\n"
    assert states(cmbs, "--before", str(last)) == ["terminated"]
    assert states(cmbs, "--before", "last", "--limit", "1") == ["stuck"]


def test_for_programs(cmbs: Run, sessions: dict[str, Session]) -> None:
    done = cmbs("sessions", "--json", "--state", "stuck")
    (found,) = map(json.loads, done.stdout.splitlines())
    expected: dict[str, Any] = {
        "session_id": str(sessions["stuck"].id),
        "state": "stuck",
        "n_survivors": 3,
        "n_hypotheses": 4,
        "active_obligation_id": "look first",
        "n_events": 3,
        "hypothesis_space_id": "other",
        "tenant": "default",
    }
    for name in ("last_event_at", "declared_at"):
        assert re.fullmatch(r"[\d-]{10}T[\d:]{8}\.\d{6}Z", found.pop(name))
    assert found == expected


def test_tenants_are_named_where_there_are_several(
    cmbs: Run, db: Connection, sessions: dict[str, Session]
) -> None:
    assert "tenant" not in table(cmbs("sessions").stdout)[0]
    db.execute("alter table cmbs_store.session disable trigger all")
    db.execute(
        "update cmbs_store.session set tenant = 'acme' where session_id = %s",
        [sessions["open"].id],
    )
    assert [row["tenant"] for row in table(cmbs("sessions").stdout)] == ["acme", *["default"] * 2]


def test_none(cmbs: Run) -> None:
    done = cmbs("sessions")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "cmbs: there is no session\n"
    assert cmbs("sessions", "--space", "x").stderr == "cmbs: no session matches\n"


def test_names_that_a_terminal_could_obey_are_spelled_out(cmbs: Run, db: Connection) -> None:
    Session(db, "ab", ontology=Json({**ONTOLOGY, "hypothesis_space_id": "a\x1b[2Jb"})).enter("\x07")
    (row,) = table(cmbs("sessions").stdout)
    assert (row["space"], row["obligation"]) == (r'"a\u001b[2Jb"', r'"\u0007"')


@pytest.mark.parametrize("period", ["", "h", "1", "0h", "1y", "1.5h", "999999d"])
def test_what_is_no_period(cmbs: Run, period: str) -> None:
    done = cmbs("sessions", "--since", period)
    assert done.returncode == 2
    assert "must be minutes, hours, days or weeks, such as 30m, 12h or 7d" in done.stderr
