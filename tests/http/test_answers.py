"""Every answer holds what the protocol says and nothing else; so does what is recorded of it."""

import json
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest

from cmbs.api.rooms.belief import answers
from cmbs.api.rooms.gates import answers as gates_answers
from cmbs.api.rooms.gates.answers import Accepted, Approved, Entered
from cmbs.api.rooms.log import answers as log_answers
from cmbs.api.rooms.lookback import answers as history_answers
from cmbs.api.rooms.operations import answers as operations_answers
from cmbs.api.rooms.spaces import answers as spaces_answers
from tests.http.tour import message, tour
from tests.http.wire import events
from tests.sql.belief.test_payloads import (
    EVERY_RESPONSE,
    OBLIGATION,
    POLICY,
    REASONS,
    RECORD,
    SNAPSHOT,
)
from tests.support.web import ONTOLOGY, Client

WITH_SNAPSHOT = (
    *(answers.Declared, answers.Eliminated, answers.EliminatedBatch, Entered),
    *(Approved, Accepted, history_answers.Explained),
)


def snapshot_of(shape: type[msgspec.Struct], answer: Any) -> Any:
    if shape is answers.Snapshot:
        return answer.json()
    return answer.json()["snapshot"] if shape in WITH_SNAPSHOT else None


def test_every_answer_has_its_members_and_no_others(client: Client) -> None:
    seen = set()
    for shape, status, answer in tour(client):
        assert answer.status_code == status, answer.text
        assert answer.headers["content-type"] == "application/json"
        msgspec.json.decode(answer.content, type=shape, strict=True)
        assert ("location" in answer.headers) == (status == 201)
        snapshot = snapshot_of(shape, answer)
        assert ("etag" in answer.headers) == (snapshot is not None)
        assert "preference-applied" not in answer.headers
        if snapshot:
            hidden = {"survivors"} if shape is history_answers.Explained else set()
            assert set(snapshot) == SNAPSHOT - hidden
            assert answer.headers["etag"] == f'"{snapshot["audit_head_event_id"]}"'
            assert answer.headers["vary"].startswith("Prefer, Accept")
        seen.add(shape)
    assert seen == {
        shape
        for module in ROOMS
        for shape in vars(module).values()
        if isinstance(shape, type)
        and shape.__module__ == module.__name__
        and shape.__name__ not in PARTS.split()
    }


ROOMS = (
    *(answers, gates_answers, log_answers),
    *(history_answers, operations_answers, spaces_answers),
)
PARTS = "Ontology OntologyAsSent PolicyAsSent Policy ActiveObligation"
PARTS += " SnapshotWithoutSurvivors EliminatedAlone Delta Line FirstBad EliminatedBy"
PARTS += " Obligation Conclusion"
PARTS += " SourceEffect Elimination Eliminations ObligationLeft ConclusionLeft Decision Lacking"
PARTS += " TerminationLeft Standing StandingAt EliminatedBetween Gate Flip"


def test_a_minimal_answer_lacks_the_survivors_alone(client: Client) -> None:
    for shape, status, answer in tour(client, Prefer="return=minimal"):
        assert answer.status_code == status, answer.text
        msgspec.json.decode(answer.content, type=shape, strict=True)
        if snapshot := snapshot_of(shape, answer):
            assert set(snapshot) == SNAPSHOT - {"survivors"}
            assert answer.headers["preference-applied"] == "return=minimal"
        else:
            assert '"survivors"' not in answer.text


def test_nothing_of_a_snapshot_but_its_head(client: Client) -> None:
    whole = [answer.json() for _, _, answer in tour(client)]
    n_snapshots = 0
    for (shape, status, answer), before in zip(
        tour(client, Prefer="return=none"), whole, strict=True
    ):
        assert answer.status_code == status, answer.text
        found = answer.json()
        if shape is history_answers.Explained or snapshot_of(shape, answer) is None:
            assert found.keys() == before.keys()
            continue
        assert answer.headers["preference-applied"] == "return=none"
        left = found if shape is answers.Snapshot else found["snapshot"]
        assert list(left) == ["n_survivors", "audit_seq", "audit_head_event_id"]
        assert answer.headers["etag"] == f'"{left["audit_head_event_id"]}"'
        if shape is not answers.Snapshot:
            assert found.keys() == before.keys()
        n_snapshots += 1
    assert n_snapshots > 8


def test_json_is_spaced_one_way(client: Client) -> None:
    texts = [answer.content for _, _, answer in tour(client)]
    texts += [client.get("/v1/nothing").content, client.get("/healthz").content]
    for text in texts:
        assert text == msgspec.json.format(text, indent=0)
        assert json.loads(text) is not None


def test_a_location_leads_to_what_was_made(client: Client) -> None:
    session = client.post("/v1/sessions", json={"ontology": ONTOLOGY, "hypotheses": ["a"]})
    found = client.get(session.headers["location"])
    assert found.json() == session.json()["snapshot"]
    assert UUID(session.json()["session_id"])
    put = client.put("/v1/hypothesis-spaces/a%2Fb%20%C3%A4/versions/%25", json={"hypotheses": "a"})
    assert put.status_code == 400
    put = client.put("/v1/hypothesis-spaces/a%2Fb%20ä/versions/%25", json={"hypotheses": ["a"]})
    space = client.get(put.headers["location"]).json()
    assert (space["hypothesis_space_id"], space["hypothesis_version"]) == ("a/b ä", "%")


K = {"k": 1.10}
# Verb, its path, its members, the optional ones, the payload of both, what the answer has more.
CASES: list[tuple[str, str, dict[str, Any], dict[str, Any], dict[str, Any], set[str]]] = [
    (
        "ELIMINATE",
        "/eliminate",
        message("o", "b", "x", "b"),
        {"justification": K},
        {**message("o"), "eliminated": ["b", "x", "b"], "justification": {}},
        {"applied_eliminated", "ignored_eliminated"},
    ),
    (
        "ENTER_OBLIGATION",
        "/obligations",
        {"obligation_id": "p", "min_total_eliminations": 3},
        {},
        {"obligation_id": "p", "min_total_eliminations": 3},
        set(),
    ),
    (
        "REQUEST_EXIT",
        "/obligations/active/exit",
        {},
        {"context": K},
        {"obligation_id": "active", "context": {}, "approved": True, "reason": "approved"},
        {"approved", "reason"},
    ),
    (
        "WAIVE_OBLIGATION",
        "/obligations/active/waive",
        {"reason": "because"},
        {},
        {
            "obligation_id": "active",
            "waive_reason": "because",
            "approved": True,
            "reason": "waived",
        },
        {"approved", "reason"},
    ),
    (
        "DECLARE_CONCLUSION",
        "/conclusions",
        {"conclusion_id": "c"},
        {"context": K},
        {
            "conclusion_id": "c",
            "context": {},
            "accepted": False,
            "reason": "active obligation blocks conclusion",
        },
        {"accepted", "reason"},
    ),
    (
        "REQUEST_TERMINATION",
        "/terminate",
        {},
        {"context": K},
        {"context": {}, "approved": False, "reason": "active obligation blocks termination"},
        {"approved", "reason"},
    ),
]


@pytest.mark.parametrize("optional", [False, True], ids=["short", "full"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_what_is_recorded_is_what_the_table_says(client: Client, case: Any, optional: bool) -> None:
    verb, path, body, more, payload, members = case
    session = client.declare()
    if verb != "ENTER_OBLIGATION":
        client.post(
            f"{session}/obligations", json={"obligation_id": "active", "min_total_eliminations": 0}
        )
    headers = {"Idempotency-Key": "r"} if optional else {}
    sent = body | more | {"notes": "n"} if optional else body
    answer = client.post(session + path, json=sent, headers=headers)
    assert set(answer.json()) == EVERY_RESPONSE | members

    event = events(client, session)[-1]
    assert set(event) == (RECORD | {"notes"} if optional else RECORD)
    named = {"request_id": "r"} if optional and verb != "ELIMINATE" else {}
    assert event["payload"] == payload | (more if optional else {}) | named
    assert (event["verb"], event["actor"], event.get("notes")) == (
        verb,
        "api",
        "n" if optional else None,
    )
    assert event["delta"] == {"eliminated": ["b"] if verb == "ELIMINATE" else []}
    assert event["event_id"] == answer.json()["audit_event_id"]
    for member in members & set(event["payload"]):
        assert answer.json()[member] == event["payload"][member]
    if optional:
        again = client.post(session + path, json=sent, headers=headers)
        assert again.json() == {**answer.json(), "duplicate": True}


@pytest.mark.parametrize("metadata", [None, {}, {"m": [1, {"n": None}]}], ids=str)
def test_a_declare_is_recorded_with_its_policy_and_its_universe(
    client: Client, metadata: Any
) -> None:
    given = {} if metadata is None else {"metadata": metadata}
    session = client.declare("c", "a", "b", policy={"stability_window": 4}, **given)
    (event,) = events(client, session)
    assert set(event) == RECORD
    assert event["payload"] == {
        "ontology": ONTOLOGY,
        "universe_digest": event["payload"]["universe_digest"],
        "n_hypotheses": 3,
        "policy": {
            "stability_window": 4,
            "validate_hypotheses": False,
            "allow_forced_termination": False,
        },
        "hypotheses": ["a", "b", "c"],
        **given,
    }
    assert set(client.get(session).json()["policy"]) == POLICY


def reasons(client: Client, session: str) -> set[tuple[str, str]]:
    return {
        (event["verb"], event["payload"]["reason"])
        for event in events(client, session)
        if "reason" in event["payload"]
    }


def test_every_reason_is_given_where_the_table_says(client: Client) -> None:
    window = client.declare("a", "b", policy={"stability_window": 1})
    forced = client.declare("a", "b", policy={"allow_forced_termination": True})
    force = {"context": {"force": True}}
    enter = {"obligation_id": "o", "min_total_eliminations": 1}
    for session in (window, forced):
        client.post(f"{session}/obligations", json=enter)
        client.post(f"{session}/obligations/o/exit")
        client.post(f"{session}/conclusions", json={"conclusion_id": "a"})
        assert not client.post(f"{session}/terminate", json=force).json()["approved"]
        client.post(f"{session}/obligations/o/waive", json={"reason": "r"})
        client.post(f"{session}/terminate")
    assert not client.post(f"{window}/terminate", json=force).json()["approved"]
    client.post(f"{window}/obligations", json=enter)
    client.eliminate(window, "b")
    client.post(f"{window}/obligations/o/exit")
    client.post(f"{window}/terminate", json={"context": {"force": "true"}})
    client.post(f"{window}/conclusions", json={"conclusion_id": "a"})
    assert client.post(f"{window}/terminate").json()["snapshot"]["terminated"]
    assert client.post(f"{forced}/terminate", json=force).json()["snapshot"]["terminated"]
    expected = {(verb, reason) for verb, told in REASONS.items() for reason in told}
    assert reasons(client, window) | reasons(client, forced) == expected


def test_an_active_obligation_is_shown_in_the_snapshot(client: Client) -> None:
    session = client.declare("a", "b")
    body = {"obligation_id": str(uuid4()), "min_total_eliminations": 3}
    found = client.post(f"{session}/obligations", json=body).json()["snapshot"]
    assert set(found["active_obligation"]) == OBLIGATION
    assert found["active_obligation"]["satisfiable"] is False
    assert found["active_obligation_id"] == body["obligation_id"]
