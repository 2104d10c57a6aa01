"""cmbs.declare_conclusion"""

import psycopg
import pytest
from psycopg.types.json import Json

from cmbs import errors
from tests.support.beliefs import NO_EVENT, NOBODY, Connection, Session, background, refused


@pytest.mark.cold
def test_any_id_any_number_of_times(tx: Connection) -> None:
    session = Session(tx)
    for conclusion_id in ("x", "x", "not a hypothesis", "x"):
        answer = session.conclude(conclusion_id, context=Json({"k": 1}))
        assert (answer["accepted"], answer["reason"]) == (True, "accepted")
        assert answer["duplicate"] is False
    assert session.is_whole()


def test_blocked_by_an_obligation(tx: Connection) -> None:
    session = Session(tx)
    session.enter("o", 0)
    answer = session.conclude()
    assert (answer["accepted"], answer["reason"]) == (False, "active obligation blocks conclusion")
    assert session.last_event()["payload"]["accepted"] is False
    assert session.is_whole()


def test_blocked_however_few_survive(tx: Connection) -> None:
    session = Session(tx, "abc")
    session.enter("o", 4)
    for gone in "abc":
        session.eliminate(gone)
        assert session.conclude("c")["accepted"] is False
    assert session.is_whole()


def test_repeated(tx: Connection) -> None:
    session = Session(tx)
    session.enter("o", 0)
    denied = session.conclude("x", request_id="r")
    session.exit("o")
    again = session.conclude("x", request_id="r", context=Json({"a": 1}), expected_head=NO_EVENT)
    assert again == {**denied, "duplicate": True, "snapshot": session.snapshot()}
    error = session.refuses(
        errors.Conflict, "declare_conclusion", conclusion_id="y", request_id="r"
    )
    assert error.details["audit_event_id"] == denied["audit_event_id"]


def test_a_repeat_does_not_count_twice(tx: Connection) -> None:
    session = Session(tx, "a", policy=Json({"stability_window": 2}))
    session.conclude("x", request_id="r")
    session.conclude("x", request_id="r")
    assert session.terminate()["reason"] == "conclusion not stable"
    session.conclude("x")
    assert session.terminate()["reason"] == "approved"


@pytest.mark.parametrize(
    "wrong",
    [
        {"conclusion_id": None},
        {"conclusion_id": ""},
        {"context": Json("x")},
        {"request_id": ""},
        {"session_id": None},
    ],
    ids=str,
)
def test_refused(tx: Connection, wrong: dict[str, object]) -> None:
    sent = {"session_id": Session(tx).id, "conclusion_id": "c", **wrong}
    error = refused(tx, errors.InvalidRequest, "declare_conclusion", **sent)
    assert [error.details["member"]] == list(wrong)


def test_no_session(tx: Connection) -> None:
    refused(tx, errors.SessionNotFound, "declare_conclusion", session_id=NOBODY, conclusion_id="c")


def test_after_termination(tx: Connection) -> None:
    session = Session(tx, "a")
    session.terminate()
    error = session.refuses(errors.SessionTerminated, "declare_conclusion", conclusion_id="c")
    assert error.details == {"session_id": str(session.id)}


def test_one_that_waits_for_an_exit_is_accepted(database: str) -> None:
    with background(database) as calls, psycopg.connect(database) as first:
        session = Session(first)
        session.enter("o", 0)
        first.commit()
        session.exit("o")
        late = calls.call("declare_conclusion", session_id=session.id, conclusion_id="c")
        calls.wait_until_blocked()
        first.commit()
        assert late.result()["accepted"] is True
        assert session.is_whole()
