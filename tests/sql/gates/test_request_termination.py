"""cmbs.request_termination"""

from typing import Any

import psycopg
import pytest
from psycopg.types.json import Json

from cmbs import errors
from tests.support.beliefs import (
    NO_EVENT,
    NOBODY,
    Connection,
    Session,
    background,
    message,
    refused,
)

FORCE = Json({"force": True})


def session_with(
    tx: Connection, n: int, *, allowed: bool = False, window: int = 0, conclusions: str = ""
) -> Session:
    """A session with n survivors."""
    policy = {"allow_forced_termination": allowed, "stability_window": window}
    session = Session(tx, "abc", policy=Json(policy))
    session.eliminate(*"abc"[n:])
    for conclusion_id in conclusions:
        session.conclude(conclusion_id)
    return session


CASES: list[tuple[dict[str, Any], bool, str]] = [
    ({"n": 1}, False, "approved"),
    ({"n": 1}, True, "approved"),
    ({"n": 1, "allowed": True}, True, "approved by force"),
    ({"n": 2, "allowed": True}, True, "approved by force"),
    ({"n": 0, "allowed": True}, True, "approved by force"),
    ({"n": 2, "allowed": True}, False, "termination requires a singleton survivor"),
    ({"n": 0}, False, "termination requires a singleton survivor"),
    ({"n": 3}, False, "termination requires a singleton survivor"),
    ({"n": 2}, True, "force not allowed by policy"),
    ({"n": 0}, True, "force not allowed by policy"),
    ({"n": 1, "window": 1}, False, "conclusion not stable"),
    ({"n": 1, "window": 1}, True, "force not allowed by policy"),
    ({"n": 1, "window": 1, "allowed": True}, True, "approved by force"),
    ({"n": 1, "window": 1, "conclusions": "x"}, False, "approved"),
    ({"n": 1, "window": 2, "conclusions": "x"}, False, "conclusion not stable"),
    ({"n": 1, "window": 2, "conclusions": "xyx"}, False, "conclusion not stable"),
    ({"n": 1, "window": 2, "conclusions": "yxx"}, True, "approved"),
    ({"n": 1, "window": 3, "conclusions": "xxyxx"}, False, "conclusion not stable"),
    ({"n": 1, "window": 3, "conclusions": "yxxx"}, False, "approved"),
    ({"n": 2, "window": 1, "conclusions": "x"}, False, "termination requires a singleton survivor"),
]


@pytest.mark.parametrize(("given", "force", "reason"), CASES, ids=str)
def test_reasons(tx: Connection, given: dict[str, Any], force: bool, reason: str) -> None:
    session = session_with(tx, **given)
    answer = session.terminate(context=FORCE if force else None)
    assert answer["reason"] == reason
    assert answer["approved"] is (reason in ("approved", "approved by force"))
    assert answer["snapshot"]["terminated"] is answer["approved"]
    assert session.last_event()["payload"]["reason"] == reason
    assert session.is_whole()


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("n", [1, 2])
def test_an_obligation_blocks_also_with_force(tx: Connection, n: int, force: bool) -> None:
    session = session_with(tx, n, allowed=True)
    session.enter("o", 0)
    answer = session.terminate(context=FORCE if force else None)
    assert (answer["approved"], answer["reason"]) == (False, "active obligation blocks termination")


@pytest.mark.parametrize(
    "context",
    [
        '{"force": "true"}',
        '{"force": 1}',
        '{"force": null}',
        '{"force": [true]}',
        '{"Force": true}',
    ],
)
def test_force_is_the_json_value_true(tx: Connection, context: str) -> None:
    session = session_with(tx, 2, allowed=True)
    assert session.terminate(context=context)["reason"] == (
        "termination requires a singleton survivor"
    )


@pytest.mark.cold
def test_denied_conclusions_do_not_make_it_stable(tx: Connection) -> None:
    session = session_with(tx, 1, window=2, conclusions="x")
    session.enter("o", 0)
    session.conclude("x")
    session.conclude("y")
    session.exit("o")
    assert session.terminate()["reason"] == "conclusion not stable"
    session.conclude("x")
    assert session.terminate()["approved"] is True
    assert session.is_whole()


def test_repeated(tx: Connection) -> None:
    session = session_with(tx, 2)
    denied = session.terminate(request_id="r")
    session.eliminate("b")
    again = session.terminate(request_id="r", context=FORCE, expected_head=NO_EVENT)
    assert again == {**denied, "duplicate": True, "snapshot": session.snapshot()}
    approved = session.terminate(request_id="r2")
    again = session.terminate(request_id="r2", expected_head=NO_EVENT)
    assert again == {**approved, "duplicate": True}


def test_a_terminated_session_takes_nothing_new(tx: Connection) -> None:
    session = session_with(tx, 1)
    session.terminate()
    calls: list[tuple[str, dict[str, Any]]] = [
        ("eliminate", {"source_id": "s", "observation_id": "n", "eliminated": []}),
        ("eliminate_batch", {"messages": Json([message("a")])}),
        ("enter_obligation", {"obligation_id": "o", "min_total_eliminations": 0}),
        ("request_exit", {"obligation_id": "o"}),
        ("waive_obligation", {"obligation_id": "o", "reason": "r"}),
        ("declare_conclusion", {"conclusion_id": "c"}),
        ("request_termination", {}),
    ]
    for verb, arguments in calls:
        session.refuses(errors.SessionTerminated, verb, **arguments)
    assert session.snapshot()["terminated"] is True
    assert session.is_whole()


@pytest.mark.parametrize(
    "wrong", [{"context": Json([True])}, {"request_id": ""}, {"session_id": None}], ids=str
)
def test_refused(tx: Connection, wrong: dict[str, object]) -> None:
    sent = {"session_id": Session(tx).id, **wrong}
    error = refused(tx, errors.InvalidRequest, "request_termination", **sent)
    assert [error.details["member"]] == list(wrong)


def test_no_session(tx: Connection) -> None:
    refused(tx, errors.SessionNotFound, "request_termination", session_id=NOBODY)


def test_who_waited_finds_the_session_over(database: str) -> None:
    with background(database) as calls, psycopg.connect(database) as first:
        session = Session(first, "a")
        first.commit()
        mine = session.terminate(request_id="r")
        same = calls.call("request_termination", session_id=session.id, request_id="r")
        other = calls.call("request_termination", session_id=session.id)
        calls.wait_until_blocked(2)
        first.commit()
        assert same.result() == {**mine, "duplicate": True}
        assert isinstance(other.exception(), errors.SessionTerminated)
