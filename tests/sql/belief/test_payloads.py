"""The tables of the protocol, member for member: payloads, responses, snapshots, reasons."""

from collections.abc import Callable
from typing import Any

import pytest
from psycopg.types.json import Json

from tests.support.beliefs import ONTOLOGY, Connection, Session, message, rich_session

SNAPSHOT = {
    "session_id",
    "ontology",
    "survivors",
    "n_survivors",
    "entropy_proxy",
    "terminated",
    "active_obligation_id",
    "audit_head_event_id",
    "n_hypotheses",
    "audit_head_hash",
    "audit_seq",
    "survivors_hash",
    "policy",
    "active_obligation",
    "is_contradicted",
    "owner",
    "declared_at",
    "audit_head_at",
}
OBLIGATION = {
    "obligation_id",
    "min_total_eliminations",
    "eliminated_since_entry",
    "satisfiable",
}
POLICY = {"validate_hypotheses", "allow_forced_termination", "stability_window"}
RECORD = {
    "v",
    "session_id",
    "seq",
    "event_id",
    "ts",
    "verb",
    "actor",
    "payload",
    "delta",
    "survivors_before_hash",
    "survivors_after_hash",
    "prev_event_hash",
    "event_hash",
}
EVERY_RESPONSE = {"snapshot", "audit_event_id", "duplicate"}
REASONS = {
    "REQUEST_EXIT": {"approved", "minimum eliminations not met"},
    "WAIVE_OBLIGATION": {"waived"},
    "DECLARE_CONCLUSION": {"accepted", "active obligation blocks conclusion"},
    "REQUEST_TERMINATION": {
        "active obligation blocks termination",
        "approved by force",
        "approved",
        "conclusion not stable",
        "force not allowed by policy",
        "termination requires a singleton survivor",
    },
}

# Verb, whether an obligation is active when it is called, the call without its optional members,
# those, the payload that both record, and what the response has beyond every response.
Case = tuple[
    str, bool, Callable[..., Any], dict[str, Any], dict[str, Any], dict[str, Any], set[str]
]

K = {"k": 1}
CASES: list[Case] = [
    (
        "ELIMINATE",
        False,
        lambda session, **more: session(
            "eliminate", source_id="s", observation_id="o", eliminated=["b", "x", "b"], **more
        ),
        {"justification": K},
        {
            "source_id": "s",
            "observation_id": "o",
            "eliminated": ["b", "x", "b"],
            "justification": {},
        },
        {"justification": K},
        {"applied_eliminated", "ignored_eliminated"},
    ),
    (
        "ENTER_OBLIGATION",
        False,
        lambda session, **more: session.enter("o", 3, **more),
        {"request_id": "r"},
        {"obligation_id": "o", "min_total_eliminations": 3},
        {"request_id": "r"},
        set(),
    ),
    (
        "REQUEST_EXIT",
        True,
        lambda session, **more: session.exit("active", **more),
        {"request_id": "r", "context": K},
        {"obligation_id": "active", "context": {}, "approved": True, "reason": "approved"},
        {"request_id": "r", "context": K},
        {"approved", "reason"},
    ),
    (
        "WAIVE_OBLIGATION",
        True,
        lambda session, **more: session.waive("active", "because", **more),
        {"request_id": "r"},
        {
            "obligation_id": "active",
            "waive_reason": "because",
            "approved": True,
            "reason": "waived",
        },
        {"request_id": "r"},
        {"approved", "reason"},
    ),
    (
        "DECLARE_CONCLUSION",
        True,
        lambda session, **more: session.conclude("c", **more),
        {"request_id": "r", "context": K},
        {
            "conclusion_id": "c",
            "context": {},
            "accepted": False,
            "reason": "active obligation blocks conclusion",
        },
        {"request_id": "r", "context": K},
        {"accepted", "reason"},
    ),
    (
        "REQUEST_TERMINATION",
        True,
        lambda session, **more: session.terminate(**more),
        {"request_id": "r", "context": K},
        {"context": {}, "approved": False, "reason": "active obligation blocks termination"},
        {"request_id": "r", "context": K},
        {"approved", "reason"},
    ),
]


@pytest.mark.parametrize("notes", [None, "", "a note"])
@pytest.mark.parametrize("optional", [False, True], ids=["short", "full"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_each_verb(tx: Connection, case: Case, optional: bool, notes: str | None) -> None:
    verb, in_obligation, send, more, payload, more_payload, members = case
    session = Session(tx)
    if in_obligation:
        session.enter("active", 0)
    sent = {key: Json(value) if isinstance(value, dict) else value for key, value in more.items()}
    response = send(session, **(sent if optional else {}), notes=notes)
    assert set(response) == EVERY_RESPONSE | members
    assert set(response["snapshot"]) == SNAPSHOT
    assert response["duplicate"] is False

    event = session.last_event()
    assert set(event) == (RECORD if notes is None else RECORD | {"notes"})
    assert (event["v"], event["verb"]) == (1, verb)
    assert event.get("notes") == notes
    assert event["payload"] == (payload | more_payload if optional else payload)
    assert event["event_id"] == response["audit_event_id"]
    assert event["delta"] == {"eliminated": ["b"] if verb == "ELIMINATE" else []}
    for member in members & set(event["payload"]):
        assert response[member] == event["payload"][member]

    if optional or verb == "ELIMINATE":
        identity = {key: value for key, value in sent.items() if key == "request_id"}
        assert send(session, **identity) == {**response, "duplicate": True}


@pytest.mark.parametrize("metadata", [None, {}, {"m": [1, {"n": None}]}], ids=str)
def test_declare(tx: Connection, metadata: dict[str, Any] | None) -> None:
    sent = {} if metadata is None else {"metadata": Json(metadata)}
    session = Session(tx, "cab", policy=Json({"stability_window": 4}), **sent)
    assert set(session.declared) == EVERY_RESPONSE | {"session_id"}
    event = session.events()[0]
    expected = {
        "ontology": ONTOLOGY,
        "universe_digest": event["payload"]["universe_digest"],
        "n_hypotheses": 3,
        "policy": {
            "stability_window": 4,
            "validate_hypotheses": False,
            "allow_forced_termination": False,
        },
        "hypotheses": ["a", "b", "c"],
    }
    assert event["payload"] == (expected if metadata is None else expected | {"metadata": metadata})
    assert set(event) == RECORD
    assert event["delta"] == {"eliminated": []}
    assert set(session.declared["snapshot"]) == SNAPSHOT
    assert set(session.declared["snapshot"]["policy"]) == POLICY


@pytest.mark.cold
def test_batch(tx: Connection) -> None:
    session = Session(tx)
    answer = session.batch(message("a", "x"))
    assert set(answer) == EVERY_RESPONSE | {"results"}
    assert set(answer["snapshot"]) == SNAPSHOT
    (result,) = answer["results"]
    assert set(result) == (EVERY_RESPONSE - {"snapshot"}) | {
        "applied_eliminated",
        "ignored_eliminated",
    }
    event = session.last_event()
    assert (event["verb"], set(event)) == ("ELIMINATE", RECORD)
    assert event["payload"] == {
        "source_id": "source",
        "observation_id": "m",
        "eliminated": ["a", "x"],
        "justification": {},
    }


def test_snapshots(tx: Connection) -> None:
    session = Session(tx)
    assert set(session.snapshot()) == SNAPSHOT
    assert set(session.snapshot(minimal=True)) == SNAPSHOT - {"survivors"}
    assert session.snapshot()["active_obligation"] is None
    assert set(session.enter()["snapshot"]["active_obligation"]) == OBLIGATION


def test_every_verb_answers_without_survivors(tx: Connection) -> None:
    session = Session(tx, "ab", minimal=True)
    answers = [
        session.declared,
        session.eliminate("b", minimal=True),
        session.batch(message("b"), minimal=True),
        session.enter(minimum=9, minimal=True),
        session.exit(minimal=True),
        session.waive(minimal=True),
        session.conclude(minimal=True),
        session.terminate(minimal=True),
    ]
    for answer in answers:
        assert set(answer["snapshot"]) == SNAPSHOT - {"survivors"}


def test_reasons_are_those_of_the_table(tx: Connection) -> None:
    session, _ = rich_session(tx)
    decided = [event for event in session.events() if event["verb"] in REASONS]
    assert {event["verb"] for event in decided} == set(REASONS)
    for event in decided:
        assert event["payload"]["reason"] in REASONS[event["verb"]]
