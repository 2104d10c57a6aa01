"""cmbs.enter_obligation"""

import psycopg
import pytest

from cmbs import errors
from tests.support.beliefs import NO_EVENT, NOBODY, Connection, Session, background, refused


@pytest.mark.cold
def test_the_count_starts_from_the_entry(tx: Connection) -> None:
    session = Session(tx, "abcde")
    session.eliminate("a", "b")
    snapshot = session.enter("ob", 2)["snapshot"]
    assert snapshot["active_obligation_id"] == "ob"
    assert snapshot["active_obligation"] == {
        "obligation_id": "ob",
        "min_total_eliminations": 2,
        "eliminated_since_entry": 0,
        "satisfiable": True,
    }
    snapshot = session.eliminate("b", "c")["snapshot"]
    assert snapshot["active_obligation"]["eliminated_since_entry"] == 1
    assert session.is_whole()


@pytest.mark.parametrize(
    ("minimum", "satisfiable"), [(0, True), (4, True), (5, False), (2**63 - 1, False)]
)
def test_what_can_never_be_met_is_accepted_and_said(
    tx: Connection, minimum: int, satisfiable: bool
) -> None:
    session = Session(tx)
    answer = session.enter(minimum=minimum)
    assert answer["snapshot"]["active_obligation"]["satisfiable"] is satisfiable
    session.eliminate("a", "b")
    assert session.snapshot()["active_obligation"]["satisfiable"] is satisfiable
    assert session.is_whole()


@pytest.mark.parametrize("second", ["o", "other"])
def test_one_at_a_time(tx: Connection, second: str) -> None:
    session = Session(tx)
    session.enter("o")
    error = session.refuses(
        errors.Conflict, "enter_obligation", obligation_id=second, min_total_eliminations=1
    )
    assert error.details["active_obligation_id"] == "o"


def test_an_id_can_be_used_again(tx: Connection) -> None:
    session = Session(tx)
    session.enter("o", 1)
    session.eliminate("a")
    session.exit("o")
    answer = session.enter("o", 1)
    assert answer["snapshot"]["active_obligation"]["eliminated_since_entry"] == 0
    assert session.is_whole()


def test_repeated(tx: Connection) -> None:
    session = Session(tx)
    first = session.enter("o", 1, request_id="r")
    again = session.enter("o", 1, request_id="r", notes="other", expected_head=NO_EVENT)
    assert again == {**first, "duplicate": True}
    session.eliminate("a")
    session.exit("o")
    again = session.enter("o", 1, request_id="r")
    assert again["duplicate"] is True
    assert again["snapshot"]["active_obligation"] is None, "the current snapshot"


@pytest.mark.parametrize("other", [("p", 1), ("o", 2)])
def test_the_request_id_of_another_message(tx: Connection, other: tuple[str, int]) -> None:
    session = Session(tx)
    first = session.enter("o", 1, request_id="r")
    error = session.refuses(
        errors.Conflict,
        "enter_obligation",
        obligation_id=other[0],
        min_total_eliminations=other[1],
        request_id="r",
    )
    assert error.details == {"audit_event_id": first["audit_event_id"], "request_id": "r"}
    error = session.refuses(errors.Conflict, "request_exit", obligation_id="o", request_id="r")
    assert error.details["audit_event_id"] == first["audit_event_id"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"obligation_id": None},
        {"obligation_id": ""},
        {"min_total_eliminations": None},
        {"min_total_eliminations": -1},
        {"request_id": ""},
        {"session_id": None},
    ],
    ids=str,
)
def test_refused(tx: Connection, wrong: dict[str, object]) -> None:
    sent = {
        "session_id": Session(tx).id,
        "obligation_id": "o",
        "min_total_eliminations": 0,
        **wrong,
    }
    error = refused(tx, errors.InvalidRequest, "enter_obligation", **sent)
    assert [error.details["member"]] == list(wrong)


def test_no_session(tx: Connection) -> None:
    sent = {"obligation_id": "o", "min_total_eliminations": 0}
    refused(tx, errors.SessionNotFound, "enter_obligation", session_id=NOBODY, **sent)


def test_two_at_once(database: str) -> None:
    with background(database) as calls, psycopg.connect(database) as first:
        session = Session(first)
        first.commit()
        mine = session.enter("o", 1, request_id="r")
        sent = {"session_id": session.id, "obligation_id": "o", "min_total_eliminations": 1}
        same = calls.call("enter_obligation", request_id="r", **sent)
        second = calls.call("enter_obligation", **sent)
        calls.wait_until_blocked(2)
        first.commit()
        assert same.result() == {**mine, "duplicate": True}
        error = second.exception()
        assert isinstance(error, errors.Conflict)
        assert error.details["active_obligation_id"] == "o"
