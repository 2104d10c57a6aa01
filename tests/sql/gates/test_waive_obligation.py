"""cmbs.waive_obligation"""

import psycopg
import pytest

from cmbs import errors
from tests.support.beliefs import NO_EVENT, NOBODY, Connection, Session, background, refused


@pytest.mark.cold
def test_the_way_out(tx: Connection) -> None:
    session = Session(tx)
    session.enter("o", 1000)
    answer = session.waive("o", "cannot be met")
    assert (answer["approved"], answer["reason"]) == (True, "waived")
    assert answer["snapshot"]["active_obligation"] is None
    assert session.last_event()["payload"]["waive_reason"] == "cannot be met"
    assert session.conclude()["accepted"] is True
    assert session.is_whole()


def test_repeated(tx: Connection) -> None:
    session = Session(tx)
    session.enter("o", 1000)
    first = session.waive("o", request_id="r")
    again = session.waive("o", request_id="r", notes="x", expected_head=NO_EVENT)
    assert again == {**first, "duplicate": True}
    for other in ({"obligation_id": "p"}, {"reason": "another"}):
        sent = {"obligation_id": "o", "reason": "because", "request_id": "r", **other}
        error = session.refuses(errors.Conflict, "waive_obligation", **sent)
        assert error.details["audit_event_id"] == first["audit_event_id"]


def test_not_the_active_one(tx: Connection) -> None:
    session = Session(tx)
    sent = {"obligation_id": "o", "reason": "r"}
    session.refuses(errors.ObligationNotFound, "waive_obligation", **sent)
    session.enter("p", 0)
    error = session.refuses(errors.ObligationNotFound, "waive_obligation", **sent)
    assert error.details["active_obligation_id"] == "p"


@pytest.mark.parametrize(
    "wrong",
    [
        {"obligation_id": None},
        {"obligation_id": ""},
        {"reason": None},
        {"reason": ""},
        {"reason": "r" * 4097},
        {"request_id": ""},
        {"session_id": None},
    ],
    ids=lambda wrong: str(wrong)[:40],
)
def test_refused(tx: Connection, wrong: dict[str, object]) -> None:
    session = Session(tx)
    session.enter("o", 0)
    sent = {"session_id": session.id, "obligation_id": "o", "reason": "r", **wrong}
    error = refused(tx, errors.InvalidRequest, "waive_obligation", **sent)
    assert [error.details["member"]] == list(wrong)


def test_no_session(tx: Connection) -> None:
    sent = {"obligation_id": "o", "reason": "r"}
    refused(tx, errors.SessionNotFound, "waive_obligation", session_id=NOBODY, **sent)


def test_two_at_once(database: str) -> None:
    with background(database) as calls, psycopg.connect(database) as first:
        session = Session(first)
        session.enter("o", 9)
        first.commit()
        mine = session.waive("o", "r", request_id="r")
        sent = {"session_id": session.id, "obligation_id": "o", "reason": "r"}
        same = calls.call("waive_obligation", request_id="r", **sent)
        second = calls.call("waive_obligation", **sent)
        calls.wait_until_blocked(2)
        first.commit()
        assert same.result() == {**mine, "duplicate": True}
        assert isinstance(second.exception(), errors.ObligationNotFound)
