"""Every error of every route: its status, its code, its details, and that it changes nothing."""

import json
from typing import Any
from uuid import uuid4

import pytest
from psycopg import Connection

from cmbs.api.docs import examples, openapi
from cmbs.api.routes import ROUTES
from tests.http.tour import message
from tests.http.wire import JSON, NO_EVENT, NOBODY, nothing_changes
from tests.support.web import ONTOLOGY, Client, refusal

SPACE = "/v1/hypothesis-spaces/s/versions/v"
BODIES: dict[str, tuple[str, Any]] = {
    "/v1/sessions": ("POST", {"ontology": ONTOLOGY, "hypotheses": ["a"]}),
    SPACE: ("PUT", {"hypotheses": ["a"]}),
    "/eliminate": ("POST", message("o", "a")),
    "/eliminate/batch": ("POST", {"messages": [message("o", "a")]}),
    "/obligations": ("POST", {"obligation_id": "o", "min_total_eliminations": 1}),
    "/obligations/o/exit": ("POST", {}),
    "/obligations/o/waive": ("POST", {"reason": "r"}),
    "/conclusions": ("POST", {"conclusion_id": "c"}),
    "/terminate": ("POST", {}),
}
TOLD = [path for path in BODIES if not path.startswith("/v1")]
READ = ["", "/audit", "/audit/x", "/verify", "/hypotheses/a", "/obligations", "/conclusions"]


def at(session: str, path: str) -> str:
    return path if path.startswith("/v1") else session + path


def send(client: Client, session: str, path: str, **more: Any) -> Any:
    method, body = BODIES[path]
    return client.request(method, at(session, path), **({"json": body} | more))


@pytest.mark.parametrize("path", TOLD)
def test_who_tells_nobody_something_is_told_so(
    client: Client, store: Connection[Any], path: str
) -> None:
    with nothing_changes(store):
        details = {"session_id": NOBODY.rpartition("/")[2]}
        assert refusal(send(client, NOBODY, path)) == (404, "SESSION_NOT_FOUND", details)


@pytest.mark.parametrize("path", READ)
def test_there_is_nothing_to_read_about_nobody(client: Client, path: str) -> None:
    details = {"session_id": NOBODY.rpartition("/")[2]}
    assert refusal(client.get(NOBODY + path)) == (404, "SESSION_NOT_FOUND", details)


@pytest.mark.parametrize("path", TOLD)
def test_a_terminated_session_is_told_nothing_more(
    client: Client, store: Connection[Any], path: str
) -> None:
    session = client.declare("a")
    assert client.post(f"{session}/terminate").json()["approved"]
    with nothing_changes(store):
        status, code, details = refusal(send(client, session, path))
        assert (status, code) == (409, "SESSION_TERMINATED")
        assert details == {"session_id": session[-36:]} | ({"index": 0} if "batch" in path else {})
    assert client.get(session).json()["terminated"]


@pytest.mark.parametrize("path", ["/obligations/o/exit", "/obligations/o/waive"])
def test_only_the_active_obligation_can_be_left(
    client: Client, store: Connection[Any], path: str
) -> None:
    session = client.declare()
    with nothing_changes(store):
        details = {"obligation_id": "o", "active_obligation_id": None}
        assert refusal(send(client, session, path)) == (404, "OBLIGATION_NOT_FOUND", details)


def test_an_event_of_elsewhere_is_not_found(client: Client) -> None:
    session, other = client.declare(), client.declare()
    foreign = client.get(other).json()["audit_head_event_id"]
    for event in (NO_EVENT, foreign):
        details = {"session_id": session.rpartition("/")[2], "event_id": event}
        for path in (f"/audit/{event}", f"?as_of={event}", f"/audit?since_event_id={event}"):
            expected = (404, "EVENT_NOT_FOUND", details)
            assert refusal(client.get(session + path)) == expected, path
    lines = {"Accept": "application/x-ndjson"}
    answer = client.get(f"{session}/audit?since_event_id={foreign}", headers=lines)
    assert refusal(answer)[:2] == (404, "EVENT_NOT_FOUND")
    assert refusal(client.get(f"{session}/audit/x"))[:2] == (404, "EVENT_NOT_FOUND")


def test_a_space_is_looked_for_where_no_hypotheses_are_given(
    client: Client, store: Connection[Any]
) -> None:
    ontology = {**ONTOLOGY, "hypothesis_space_id": "nowhere"}
    details = {"hypothesis_space_id": "nowhere", "hypothesis_version": "1"}
    with nothing_changes(store):
        answer = client.post("/v1/sessions", json={"ontology": ontology})
        assert refusal(answer) == (404, "SPACE_NOT_FOUND", details)
        answer = client.get("/v1/hypothesis-spaces/nowhere/versions/1")
        assert refusal(answer) == (404, "SPACE_NOT_FOUND", details)


def test_a_hypothesis_outside_of_the_universe_is_not_found_or_not_valid(
    client: Client, store: Connection[Any]
) -> None:
    session = client.declare("a", policy={"validate_hypotheses": True})
    with nothing_changes(store):
        details = {"invalid": ["x"], "n_invalid": 1}
        answer = client.get(f"{session}/hypotheses/x")
        assert refusal(answer) == (404, "INVALID_HYPOTHESIS_ID", details)
        answer = client.post(f"{session}/eliminate", json=message("o", "x", "a"))
        assert refusal(answer) == (400, "INVALID_HYPOTHESIS_ID", details)
        batch = {"messages": [message("o", "a"), message("p", "x")]}
        answer = client.post(f"{session}/eliminate/batch", json=batch)
        assert refusal(answer) == (400, "INVALID_HYPOTHESIS_ID", details | {"index": 1})


def test_another_message_under_a_used_identity_is_a_conflict(
    client: Client, store: Connection[Any]
) -> None:
    session, space = client.declare(), f"/v1/hypothesis-spaces/{uuid4()}/versions/1"
    first = client.eliminate(session, "a")["audit_event_id"]
    client.put(space, json={"hypotheses": ["a"]})
    with nothing_changes(store):
        other = {**message("o", "b"), "source_id": "s"}
        answer = client.post(f"{session}/eliminate", json=other)
        assert refusal(answer)[:2] == (409, "CONFLICT")
        assert refusal(answer)[2]["audit_event_id"] == first
        answer = client.post(f"{session}/eliminate/batch", json={"messages": [other]})
        assert refusal(answer)[2]["index"] == 0
        declare = {"session_id": session[-36:], "ontology": ONTOLOGY, "hypotheses": ["z"]}
        assert refusal(client.post("/v1/sessions", json=declare))[:2] == (409, "CONFLICT")
        assert refusal(client.put(space, json={"hypotheses": ["b"]}))[:2] == (409, "CONFLICT")


def test_a_second_obligation_is_a_conflict_that_names_the_first(
    client: Client, store: Connection[Any]
) -> None:
    session = client.declare()
    send(client, session, "/obligations")
    with nothing_changes(store):
        status, code, details = refusal(send(client, session, "/obligations"))
    assert (status, code, details["active_obligation_id"]) == (409, "CONFLICT", "o")


@pytest.mark.parametrize("path", BODIES)
def test_a_body_of_another_kind_is_not_read(
    client: Client, store: Connection[Any], path: str
) -> None:
    session = client.declare()
    with nothing_changes(store):
        for kind in ("", "text/plain", "application/json; charset=latin1", "application/jsonx"):
            headers = {"Content-Type": kind} if kind else {}
            more = {"content": json.dumps(BODIES[path][1]), "headers": headers, "json": None}
            answer = send(client, session, path, **more)
            expected = (415, "UNSUPPORTED_MEDIA_TYPE", {"content_type": kind})
            assert refusal(answer) == expected


@pytest.mark.parametrize("path", BODIES)
def test_a_body_has_known_members_only(client: Client, store: Connection[Any], path: str) -> None:
    session = client.declare()
    with nothing_changes(store):
        body = BODIES[path][1] | {"elminated": 1, "a": 1}
        expected = (400, "INVALID_REQUEST", {"unknown": ["a", "elminated"]})
        assert refusal(send(client, session, path, json=body)) == expected


@pytest.mark.parametrize("path", BODIES)
def test_a_body_is_never_larger_than_its_limit(
    client: Client, store: Connection[Any], path: str
) -> None:
    session, limit = client.declare(), 64 if path.startswith("/v1") else 8
    with nothing_changes(store):
        body = b" " * (limit * 2**20 + 1)
        answer = send(client, session, path, content=body, headers=JSON, json=None)
        details = {"member": "body", "limit": f"{limit} MiB"}
        assert refusal(answer) == (413, "PAYLOAD_TOO_LARGE", details)


MISSING = [(path, member) for path, (_, body) in BODIES.items() for member in body]


@pytest.mark.parametrize(("path", "member"), MISSING)
def test_a_member_that_is_needed_is_asked_for(
    client: Client, store: Connection[Any], path: str, member: str
) -> None:
    session = client.declare()
    rest = {name: value for name, value in BODIES[path][1].items() if name != member}
    with nothing_changes(store):
        for body in (rest, rest | {member: None}, rest | {member: True}):
            answer = send(client, session, path, json=body)
            if path == "/v1/sessions" and member == "hypotheses" and body.get(member) is None:
                assert refusal(answer)[1] == "SPACE_NOT_FOUND"
                continue
            status, code, details = refusal(answer)
            assert (status, code, details["member"]) == (400, "INVALID_REQUEST", member)
            assert details["problem"]


def test_every_error_of_the_documentation_is_one_that_happens() -> None:
    told = {name for route in ROUTES for name in route.opt.get("errors", ())}
    always = {*openapi._ALWAYS, *openapi._WITH_BODY}
    assert told | always == set(examples.ERRORS)


def test_an_example_of_an_error_is_what_is_really_answered(client: Client) -> None:
    session = client.declare("dns", policy={"validate_hypotheses": True})
    over = client.declare("a")
    client.post(f"{over}/terminate")
    space = f"/v1/hypothesis-spaces/{uuid4()}/versions/1"
    client.put(space, json={"hypotheses": ["a"]})
    stale = {"If-Match": f'"{NO_EVENT}"'}
    declared = {"session_id": str(uuid4()), "ontology": ONTOLOGY, "hypotheses": ["a"]}
    client.post("/v1/sessions", json=declared)
    of_none = {"ontology": ONTOLOGY, "universe_from": {"tee_incident": "nowhere"}}
    client.post(f"{session}/eliminate", json=message("used", "dns"))
    key = {"Idempotency-Key": "used"}
    send(client, session, "/conclusions", headers=key)
    provoked = {
        "CONFLICT of a space": client.put(space, json={"hypotheses": ["b"]}),
        "CONFLICT of a session": client.post("/v1/sessions", json=declared | {"hypotheses": ["b"]}),
        "CONFLICT of an observation": client.post(f"{session}/eliminate", json=message("used")),
        "CONFLICT of a request id": send(client, session, "/terminate", headers=key),
        "CONFLICT as 412": send(client, session, "/conclusions", headers=stale),
        "OBLIGATION_NOT_FOUND": send(client, session, "/obligations/o/exit"),
        "SESSION_TERMINATED": send(client, over, "/conclusions"),
        "SESSION_NOT_FOUND": client.get(NOBODY),
        "EVENT_NOT_FOUND": client.get(f"{session}/audit/{NO_EVENT}"),
        "EVENT_NOT_FOUND of a message": client.get(f"{session}/whatif?without_source=x"),
        "SPACE_NOT_FOUND": client.get("/v1/hypothesis-spaces/nowhere/versions/1"),
        "INCIDENT_NOT_FOUND": client.post("/v1/sessions", json=of_none),
        "INVALID_HYPOTHESIS_ID": client.post(f"{session}/eliminate", json=message("o", "x")),
        "INVALID_HYPOTHESIS_ID as 404": client.get(f"{session}/hypotheses/x"),
        "INVALID_REQUEST": client.get("/v1/sessions?limt=3"),
        "UNSUPPORTED_MEDIA_TYPE": client.post("/v1/sessions", content="a=b"),
        "PAYLOAD_TOO_LARGE": client.post(f"{session}/terminate", content=b" " * (2**23 + 1)),
    }
    for name, answer in provoked.items():
        found, example = answer.json()["error"], examples.ERRORS[name]["error"]
        assert (found["code"], found["message"]) == (example["code"], example["message"])
        assert found["details"].keys() == example["details"].keys(), name
    elsewhere = {"FORBIDDEN", "RATE_LIMITED", "UNAVAILABLE", "INTERNAL", "UNAUTHENTICATED"}
    # By test_identities.py.
    elsewhere |= {"CONFLICT of a principal", "CONFLICT of a token"}
    elsewhere |= {"PRINCIPAL_NOT_FOUND", "TOKEN_NOT_FOUND"}
    # By test_arbitration.py.
    elsewhere |= {"POLICY_NOT_FOUND", "TOOL_NOT_FOUND", "SCHEMA_NOT_FOUND", "CLAIM_NOT_FOUND"}
    elsewhere |= {"CONFLICT of a policy pack", "CONFLICT of a schema"}
    elsewhere |= {"CONFLICT of a narrower token", "TOKEN_NOT_FOUND of a session"}
    # By test_execution.py.
    elsewhere |= {"PERMIT_NOT_FOUND", "INTERRUPT_NOT_FOUND"}
    elsewhere |= {"CONFLICT of a permit", "CONFLICT of a question"}
    assert provoked.keys() | elsewhere == set(examples.ERRORS)
