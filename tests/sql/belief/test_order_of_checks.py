"""The order of checks: of two things that are wrong with a message, the earlier one is answered.

Shape, then whether the session exists, then the recorded answer of a repeat, then the expected
head, then whether the session is over, then what is particular to the verb.
"""

from typing import Any
from uuid import uuid4

import pytest
from psycopg.types.json import Json

from cmbs import errors
from tests.support.beliefs import NO_EVENT, NOBODY, ONTOLOGY, Connection, Session, message, refused

STALE = {"expected_head": NO_EVENT}

# What each verb is sent, how that is repeated with other content, and how its shape goes wrong.
Verb = tuple[str, dict[str, Any], dict[str, Any], dict[str, Any]]
VERBS: list[Verb] = [
    (
        "eliminate",
        {"source_id": "s", "observation_id": "o", "eliminated": ["a"]},
        {"eliminated": ["b"]},
        {"source_id": ""},
    ),
    (
        "eliminate_batch",
        {"messages": Json([message("a")])},
        {"messages": Json([message("b")])},
        {"messages": Json([message("a", unknown=1)])},
    ),
    (
        "enter_obligation",
        {"obligation_id": "o", "min_total_eliminations": 0, "request_id": "r"},
        {"min_total_eliminations": 1},
        {"min_total_eliminations": -1},
    ),
    (
        "request_exit",
        {"obligation_id": "o", "request_id": "r"},
        {"obligation_id": "p"},
        {"context": Json([])},
    ),
    (
        "waive_obligation",
        {"obligation_id": "o", "reason": "x", "request_id": "r"},
        {"reason": "y"},
        {"reason": ""},
    ),
    (
        "declare_conclusion",
        {"conclusion_id": "c", "request_id": "r"},
        {"conclusion_id": "d"},
        {"request_id": ""},
    ),
    ("request_termination", {"request_id": "r"}, {}, {"context": Json([])}),
]


def named(verb: Verb) -> str:
    return verb[0]


def prepared(tx: Connection, verb: str, **declare: object) -> Session:
    """A session in which the message of the verb can be recorded."""
    session = Session(tx, "abc", policy=Json({"allow_forced_termination": True}), **declare)
    if verb in ("request_exit", "waive_obligation"):
        session.enter("o", 0)
    return session


def new(arguments: dict[str, Any]) -> dict[str, Any]:
    """The same message under an identity that was not used."""
    messages = Json([message("a", observation_id="new")])
    fresh = {"request_id": "new", "observation_id": "new", "messages": messages}
    return {key: fresh.get(key, value) for key, value in arguments.items()}


@pytest.mark.parametrize("verb", VERBS, ids=named)
def test_shape_before_session(tx: Connection, verb: Verb) -> None:
    name, sent, _, malformed = verb
    refused(tx, errors.InvalidRequest, name, session_id=NOBODY, **{**sent, **malformed})
    refused(tx, errors.InvalidRequest, name, session_id=None, **sent)


@pytest.mark.parametrize("verb", VERBS, ids=named)
def test_shape_before_repeat_head_and_termination(tx: Connection, verb: Verb) -> None:
    name, sent, _, malformed = verb
    session = prepared(tx, name)
    session(name, **sent)
    wrong = {**sent, **malformed, **STALE}
    session.refuses(errors.InvalidRequest, name, **wrong)
    close(session)
    session.refuses(errors.InvalidRequest, name, **wrong)


@pytest.mark.parametrize("verb", VERBS, ids=named)
def test_session_before_head(tx: Connection, verb: Verb) -> None:
    name, sent, _, _ = verb
    refused(tx, errors.SessionNotFound, name, session_id=NOBODY, **sent, **STALE)


@pytest.mark.parametrize("verb", VERBS, ids=named)
def test_repeat_before_head_and_termination(tx: Connection, verb: Verb) -> None:
    name, sent, _, _ = verb
    session = prepared(tx, name)
    first = session(name, **sent)
    assert session(name, **sent, **STALE)["duplicate"] is True
    close(session)
    answer = session(name, **sent, **STALE)
    assert answer["duplicate"] is True
    assert answer["audit_event_id"] == first["audit_event_id"]
    assert answer["snapshot"]["terminated"] is True


@pytest.mark.parametrize("verb", VERBS[:-1], ids=named)
def test_conflict_before_head_and_termination(tx: Connection, verb: Verb) -> None:
    name, sent, other, _ = verb
    session = prepared(tx, name)
    session(name, **sent)
    session.refuses(errors.Conflict, name, **{**sent, **other, **STALE})
    close(session)
    session.refuses(errors.Conflict, name, **{**sent, **other, **STALE})
    session.refuses(errors.Conflict, name, **{**sent, **other})


@pytest.mark.cold
def test_conflict_of_a_termination_before_head_and_termination(tx: Connection) -> None:
    session = Session(tx, "a")
    session.conclude("c", request_id="r")
    session.refuses(errors.Conflict, "request_termination", request_id="r", **STALE)
    session.terminate()
    session.refuses(errors.Conflict, "request_termination", request_id="r", **STALE)


@pytest.mark.parametrize("verb", VERBS, ids=named)
def test_head_before_termination(tx: Connection, verb: Verb) -> None:
    name, sent, _, _ = verb
    session = prepared(tx, name)
    close(session)
    session.refuses(errors.HeadMismatch, name, **new(sent), **STALE)
    head = session.snapshot()["audit_head_event_id"]
    session.refuses(errors.SessionTerminated, name, **new(sent), expected_head=head)


@pytest.mark.parametrize(
    ("verb", "sent"),
    [
        ("eliminate", {"source_id": "s", "observation_id": "o", "eliminated": ["unknown"]}),
        ("eliminate_batch", {"messages": Json([message("unknown")])}),
        ("request_exit", {"obligation_id": "not active"}),
        ("waive_obligation", {"obligation_id": "not active", "reason": "r"}),
    ],
)
def test_head_and_termination_before_the_verbs_own(
    tx: Connection, verb: str, sent: dict[str, Any]
) -> None:
    policy = {"validate_hypotheses": True, "allow_forced_termination": True}
    session = Session(tx, policy=Json(policy))
    session.refuses(errors.HeadMismatch, verb, **sent, **STALE)
    close(session)
    session.refuses(errors.HeadMismatch, verb, **sent, **STALE)
    session.refuses(errors.SessionTerminated, verb, **sent)


def test_head_before_an_active_obligation(tx: Connection) -> None:
    session = Session(tx)
    session.enter("o")
    sent = {"obligation_id": "p", "min_total_eliminations": 0}
    session.refuses(errors.HeadMismatch, "enter_obligation", **sent, **STALE)
    head = session.snapshot()["audit_head_event_id"]
    session.refuses(errors.Conflict, "enter_obligation", **sent, expected_head=head)


@pytest.mark.parametrize("verb", ["declare_conclusion", "request_termination"])
def test_head_before_a_denial(tx: Connection, verb: str) -> None:
    session = Session(tx)
    session.enter("o")
    sent = {"conclusion_id": "c"} if verb == "declare_conclusion" else {}
    session.refuses(errors.HeadMismatch, verb, **sent, **STALE)
    assert session(verb, **sent)["reason"].startswith("active obligation blocks")


def test_declare_shape_before_repeat_before_space(tx: Connection) -> None:
    session = Session(tx, "a")
    missing = Json({**ONTOLOGY, "hypothesis_version": "missing"})
    malformed = {"ontology": missing, "policy": Json({"unknown": 1})}
    session.refuses(errors.InvalidRequest, "declare_session", **malformed)
    session.refuses(errors.Conflict, "declare_session", ontology=missing)
    refused(tx, errors.SpaceNotFound, "declare_session", session_id=uuid4(), ontology=missing)
    session.terminate()
    session.refuses(errors.Conflict, "declare_session", ontology=missing)


def close(session: Session) -> None:
    """End the session whatever it holds."""
    active = session.snapshot()["active_obligation_id"]
    if active is not None:
        session.waive(active)
    assert session.terminate(context=Json({"force": True}))["approved"]
