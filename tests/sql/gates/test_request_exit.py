"""cmbs.request_exit"""

import psycopg
import pytest
from psycopg.types.json import Json

from cmbs import errors
from tests.support.beliefs import NO_EVENT, NOBODY, Connection, Session, background, refused


@pytest.mark.cold
def test_what_counts_are_ids_applied(tx: Connection) -> None:
    session = Session(tx, "abcde")
    session.eliminate("a")
    session.enter("o", 2)
    for gone in ("a", "x", "b"):
        session.eliminate(gone, "a")
    denied = session.exit("o")
    assert (denied["approved"], denied["reason"]) == (False, "minimum eliminations not met")
    assert denied["snapshot"]["active_obligation_id"] == "o"
    session.eliminate("c")
    approved = session.exit("o", context=Json({"k": 1}))
    assert (approved["approved"], approved["reason"]) == (True, "approved")
    assert approved["snapshot"]["active_obligation_id"] is None
    assert approved["snapshot"]["active_obligation"] is None
    assert [event["payload"]["approved"] for event in session.events()[-3::2]] == [False, True]
    assert session.is_whole()


def test_nothing_is_needed(tx: Connection) -> None:
    session = Session(tx)
    session.enter("o", 0)
    assert session.exit("o")["approved"] is True


def test_repeated(tx: Connection) -> None:
    session = Session(tx)
    session.enter("o", 1)
    denied = session.exit("o", request_id="r", context=Json({"n": 1}))
    session.eliminate("a")
    again = session.exit("o", request_id="r", expected_head=NO_EVENT)
    assert again == {**denied, "duplicate": True, "snapshot": session.snapshot()}
    approved = session.exit("o", request_id="r2")
    again = session.exit("o", request_id="r2", context=Json({"other": 1}))
    assert again == {**approved, "duplicate": True}
    session.enter("p", 1)
    error = session.refuses(errors.Conflict, "request_exit", obligation_id="p", request_id="r2")
    assert error.details["audit_event_id"] == approved["audit_event_id"]


def test_not_the_active_one(tx: Connection) -> None:
    session = Session(tx)
    error = session.refuses(errors.ObligationNotFound, "request_exit", obligation_id="o")
    assert error.details == {"obligation_id": "o", "active_obligation_id": None}
    session.enter("o", 0)
    error = session.refuses(errors.ObligationNotFound, "request_exit", obligation_id="p")
    assert error.details == {"obligation_id": "p", "active_obligation_id": "o"}
    session.exit("o")
    session.refuses(errors.ObligationNotFound, "request_exit", obligation_id="o")


@pytest.mark.parametrize(
    "wrong",
    [
        {"obligation_id": None},
        {"obligation_id": ""},
        {"context": Json([])},
        {"request_id": ""},
        {"session_id": None},
    ],
    ids=str,
)
def test_refused(tx: Connection, wrong: dict[str, object]) -> None:
    session = Session(tx)
    session.enter("o", 0)
    sent = {"session_id": session.id, "obligation_id": "o", **wrong}
    error = refused(tx, errors.InvalidRequest, "request_exit", **sent)
    assert [error.details["member"]] == list(wrong)


def test_no_session(tx: Connection) -> None:
    refused(tx, errors.SessionNotFound, "request_exit", session_id=NOBODY, obligation_id="o")


def test_two_at_once(database: str) -> None:
    with background(database) as calls, psycopg.connect(database) as first:
        session = Session(first)
        session.enter("o", 0)
        first.commit()
        mine = session.exit("o", request_id="r")
        sent = {"session_id": session.id, "obligation_id": "o"}
        same = calls.call("request_exit", request_id="r", **sent)
        second = calls.call("request_exit", **sent)
        calls.wait_until_blocked(2)
        first.commit()
        assert same.result() == {**mine, "duplicate": True}
        assert isinstance(second.exception(), errors.ObligationNotFound)
