"""cmbs.eliminate_batch"""

from typing import Any
from uuid import uuid4

import psycopg
import pytest
from psycopg.types.json import Json

from cmbs import errors
from tests.beliefs import NO_EVENT, NOBODY, Connection, Session, background, message, refused


def test_one_event_per_message_in_order(tx: Connection) -> None:
    session = Session(tx, "abcdef")
    answer = session.batch(
        message("a", "x", observation_id="1", justification={"n": 1}),
        message("a", "b", observation_id="2", notes="noted"),
        message(observation_id="3", justification=None, notes=None),
    )
    events = session.events()[1:]
    assert [result["audit_event_id"] for result in answer["results"]] == [
        event["event_id"] for event in events
    ]
    assert [result["applied_eliminated"] for result in answer["results"]] == [["a"], ["b"], []]
    assert [result["ignored_eliminated"] for result in answer["results"]] == [["x"], ["a"], []]
    assert [event["payload"]["justification"] for event in events] == [{"n": 1}, {}, {}]
    assert [event.get("notes") for event in events] == [None, "noted", None]
    assert answer["duplicate"] is False
    assert answer["snapshot"] == session.snapshot()
    assert answer["snapshot"]["survivors"] == list("cdef")
    assert session.is_whole()


def test_the_same_as_one_by_one(tx: Connection) -> None:
    at_once, singly = Session(tx, "abcdef"), Session(tx, "abcdef")
    messages = [message(*ids, observation_id=ids) for ids in ("ab", "bc", "f")]
    results = at_once.batch(*messages)["results"]
    for sent, result in zip(messages, results, strict=True):
        answer = singly("eliminate", **sent)
        assert {**result, "audit_event_id": 0} == {
            "applied_eliminated": answer["applied_eliminated"],
            "ignored_eliminated": answer["ignored_eliminated"],
            "duplicate": False,
            "audit_event_id": 0,
        }
    assert at_once.snapshot()["survivors_hash"] == singly.snapshot()["survivors_hash"]


def test_repeated(tx: Connection) -> None:
    session = Session(tx)
    messages = [message("a", observation_id="1"), message("b", observation_id="2")]
    first = session.batch(*messages)
    again = session.batch(*messages, expected_head=NO_EVENT)
    assert again["duplicate"] is True
    assert [result["duplicate"] for result in again["results"]] == [True, True]
    assert [result["audit_event_id"] for result in again["results"]] == [
        result["audit_event_id"] for result in first["results"]
    ]
    assert len(session.events()) == 3


def test_repeats_inside_are_answered_as_repeats(tx: Connection) -> None:
    session = Session(tx)
    old = session.eliminate("a", observation_id="old")
    answer = session.batch(
        message("a", observation_id="old"),
        message("b", "c", observation_id="new"),
        message("c", "b", observation_id="new"),
        expected_head=old["audit_event_id"],
    )
    assert [result["duplicate"] for result in answer["results"]] == [True, False, True]
    assert answer["results"][0]["audit_event_id"] == old["audit_event_id"]
    assert answer["results"][1]["audit_event_id"] == answer["results"][2]["audit_event_id"]
    assert answer["duplicate"] is False
    assert len(session.events()) == 3


def test_the_head_is_expected_of_the_first_new_message(tx: Connection) -> None:
    session = Session(tx)
    head = session.eliminate("a", observation_id="old")["audit_event_id"]
    session.eliminate("b")
    messages = [message("a", observation_id="old"), message("c", observation_id="new")]
    error = session.refuses(
        errors.HeadMismatch, "eliminate_batch", messages=Json(messages), expected_head=head
    )
    assert error.details["index"] == 1
    head = session.snapshot()["audit_head_event_id"]
    assert session.batch(*messages, expected_head=head)["duplicate"] is False


def test_after_termination(tx: Connection) -> None:
    session = Session(tx, "ab")
    session.batch(message("b", observation_id="old"))
    session.terminate()
    assert session.batch(message("b", observation_id="old"))["duplicate"] is True
    messages = [message("b", observation_id="old"), message("a", observation_id="new")]
    error = session.refuses(errors.SessionTerminated, "eliminate_batch", messages=Json(messages))
    assert error.details["index"] == 1


def test_a_conflict_undoes_all(tx: Connection) -> None:
    session = Session(tx)
    old = session.eliminate("a", observation_id="old")
    messages = [message("b", observation_id="new"), message("c", observation_id="old")]
    error = session.refuses(errors.Conflict, "eliminate_batch", messages=Json(messages))
    assert error.details["index"] == 1
    assert error.details["audit_event_id"] == old["audit_event_id"]
    inside = [message("b", observation_id="new"), message("c", observation_id="new")]
    error = session.refuses(errors.Conflict, "eliminate_batch", messages=Json(inside))
    assert error.details["index"] == 1
    assert "audit_event_id" not in error.details, "that event is undone with the batch"


def test_an_unknown_id_undoes_all(tx: Connection) -> None:
    session = Session(tx, policy=Json({"validate_hypotheses": True}))
    messages = [message("a", observation_id="1"), message("b", "zz", observation_id="2")]
    error = session.refuses(errors.InvalidHypothesisId, "eliminate_batch", messages=Json(messages))
    assert (error.details["index"], error.details["invalid"]) == (1, ["zz"])


WRONG: list[Any] = [
    None,
    "text",
    [],
    {},
    message("a", unknown=1),
    message("a", source_id=None),
    message("a", source_id=1),
    message("a", source_id=""),
    message("a", observation_id=None),
    message("a", observation_id={}),
    message("a", eliminated=None),
    message("a", eliminated="a"),
    message("a", eliminated=["a", None]),
    message("a", eliminated=["a", 1]),
    message("a", eliminated=["a", ""]),
    message("a", eliminated=[["a"]]),
    message("a", eliminated={"a": 1}),
    message("a", justification=[]),
    message("a", justification="x"),
    message("a", justification={"$redactable": 1}),
    message("a", notes=1),
    message("a", session_id=str(NOBODY)),
    message("a", session_id=1),
    message("a" * 513),
    {"observation_id": "o", "eliminated": []},
    {"source_id": "o", "eliminated": []},
    {"source_id": "o", "observation_id": "o"},
]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: str(wrong)[:60])
def test_a_malformed_message(tx: Connection, wrong: Any) -> None:
    session = Session(tx)
    error = session.refuses(
        errors.InvalidRequest, "eliminate_batch", messages=Json([message("a"), wrong])
    )
    assert error.details["index"] == 1


@pytest.mark.parametrize("messages", [None, Json(None), Json({}), Json([]), Json("x")], ids=str)
def test_not_a_list_of_messages(tx: Connection, messages: object) -> None:
    session = Session(tx)
    error = session.refuses(errors.InvalidRequest, "eliminate_batch", messages=messages)
    assert error.details["member"] == "messages"


def test_a_message_may_name_its_session(tx: Connection) -> None:
    session = Session(tx)
    for name in (str(session.id), str(session.id).upper()):
        answer = session.batch(message("a", observation_id=name, session_id=name))
        assert answer["duplicate"] is False


def test_a_thousand_messages_and_one_more(tx: Connection) -> None:
    session = Session(tx, [f"{i:04}" for i in range(1001)])
    messages = [message(f"{i:04}", observation_id=str(i)) for i in range(1001)]
    session.refuses(errors.PayloadTooLarge, "eliminate_batch", messages=Json(messages))
    answer = session.batch(*messages[:1000], minimal=True)
    assert len(answer["results"]) == 1000
    assert answer["snapshot"]["n_survivors"] == 1
    assert "survivors" not in answer["snapshot"]
    assert session.is_whole()


def test_no_session(tx: Connection) -> None:
    refused(
        tx,
        errors.SessionNotFound,
        "eliminate_batch",
        session_id=uuid4(),
        messages=Json([message("a")]),
    )


def test_a_batch_waits_its_turn(database: str) -> None:
    with background(database) as calls, psycopg.connect(database) as first:
        session = Session(first)
        first.commit()
        session.batch(message("a", observation_id="1"), message("b", observation_id="2"))
        late = calls.call(
            "eliminate_batch",
            session_id=session.id,
            messages=Json([message("b", observation_id="2"), message("c", observation_id="3")]),
        )
        calls.wait_until_blocked()
        first.commit()
        assert [result["duplicate"] for result in late.result()["results"]] == [True, False]
        assert session.snapshot()["survivors"] == ["d"]
        assert session.is_whole()
