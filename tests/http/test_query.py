"""Parameters of a query: known, there once, well formed, and UTF-8."""

from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from psycopg import Connection

from tests.http.test_errors import BODIES, TOLD, send
from tests.http.wire import NO_EVENT, answered, exchange, head, nothing_changes
from tests.support.web import Client, refusal

WITHOUT = ["/verify", "/hypotheses/a", "/obligations", "/conclusions", f"/audit/{NO_EVENT}"]


@pytest.mark.parametrize("path", ["", "/audit", *WITHOUT])
def test_a_parameter_that_is_not_known_is_named(client: Client, path: str) -> None:
    session = client.declare()
    answer = client.get(f"{session}{path}?b=1&since=2&a")
    assert refusal(answer) == (400, "INVALID_REQUEST", {"unknown": ["a", "b", "since"]})


@pytest.mark.parametrize("path", TOLD)
def test_a_message_takes_no_parameters(client: Client, store: Connection[Any], path: str) -> None:
    session = client.declare()
    with nothing_changes(store):
        answer = send(client, session, path, params={"notes": "x"})
        assert refusal(answer) == (400, "INVALID_REQUEST", {"unknown": ["notes"]})


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/schema", "/schema/openapi.json"])
def test_nothing_can_be_asked_of_what_answers_always(client: Client, path: str) -> None:
    answer = client.get(f"{path}?verbose=1")
    assert refusal(answer) == (400, "INVALID_REQUEST", {"unknown": ["verbose"]})


def test_names_that_are_not_known_are_shortened(client: Client) -> None:
    answer = client.get(f"/v1/sessions?{'x' * 3000}=1")
    assert refusal(answer) == (400, "INVALID_REQUEST", {"unknown": ["x" * 512]})
    many = "&".join(f"x{n}" for n in range(101))
    problem = "must be UTF-8 and hold at most 100 parameters"
    expected = (400, "INVALID_REQUEST", {"member": "query", "problem": problem})
    assert refusal(client.get(f"/v1/sessions?{many}")) == expected


@pytest.mark.parametrize("query", ["limit=1&limit=1", "limit=1&limit=2", "limit=1&%6cimit=1"])
def test_a_parameter_is_there_once(client: Client, query: str) -> None:
    details = {"member": "query", "problem": "a parameter may appear once"}
    assert refusal(client.get(f"/v1/sessions?{query}")) == (400, "INVALID_REQUEST", details)


@pytest.mark.parametrize("query", ["cursor=%ff", "%ff=1", "cursor=%ed%a0%80", "cursor=%C3"])
def test_a_query_is_utf_8(client: Client, query: str) -> None:
    assert refusal(client.get(f"/v1/sessions?{query}"))[:2] == (400, "INVALID_REQUEST")


def test_raw_bytes_in_a_query_are_utf_8_or_refused(site: SimpleNamespace) -> None:
    for raw in (b"\xff", b"\xed\xa0\x80", "ä".encode()):
        sent = head("GET", "/v1/sessions?hypothesis_space_id=X").replace(b"X", raw)
        status, _, body = answered(exchange(site.address, sent))
        assert status == 400 or body == b'{"sessions": [], "next_cursor": null}'


MALFORMED = {
    "/v1/sessions?limit=": ["", "0", "-1", "501", "x", "1.0", "+1", "1e2", "٣", "9" * 30, " 1"],
    "/v1/sessions?terminated=": ["", "1", "True", "TRUE", "yes", "null", "true "],
    "/v1/sessions?cursor=": ["", "x", "%00", "2026-13-45T99:99:99.000000Z_" + "0" * 36, "%27"],
    "{}/audit?limit=": ["", "0", "-1", "10001", "x", "1.0", "%00", "999999999", "9" * 10],
    "{}/audit?since_event_id=": ["", "x", "0" * 32, "%00", "%27", "1"],
    "{}?as_of=": ["", "x", "0" * 32, "%00", "%27", "1"],
}


@pytest.mark.parametrize(
    ("path", "value"), [(path, value) for path, values in MALFORMED.items() for value in values]
)
def test_a_parameter_that_is_malformed_is_not_valid(
    client: Client, store: Connection[Any], path: str, value: str
) -> None:
    session = client.declare()
    with nothing_changes(store):
        status, code, details = refusal(client.get(path.format(session) + value))
        assert (status, code) == (400, "INVALID_REQUEST")
        assert details["problem"]
        if value != "%00" and not value.startswith("2026"):
            assert details["member"] == path.rpartition("?")[2].rstrip("=")


@pytest.mark.parametrize("member", ["session_id", "obligation_id"])
def test_what_the_path_names_a_body_may_name_again(
    client: Client, store: Connection[Any], member: str
) -> None:
    for path in ("/obligations/o/exit", "/obligations/o/waive"):
        session = client.declare()
        send(client, session, "/obligations")
        same = {"session_id": session[-36:], "obligation_id": "o"}[member]
        reason = {"reason": "r"} if "waive" in path else {}
        with nothing_changes(store):
            for other in (str(uuid4()), 7, "", [same]):
                answer = send(client, session, path, json={member: other, **reason})
                status, code, details = refusal(answer)
                assert (status, code, details["member"]) == (400, "INVALID_REQUEST", member)
        for value in (same, None):
            answer = send(client, session, path, json={member: value, **reason})
            assert answer.status_code == 200 or value is None
        assert client.get(session).json()["audit_seq"] >= 3


@pytest.mark.parametrize("path", TOLD)
def test_the_session_of_a_body_is_that_of_the_path(
    client: Client, store: Connection[Any], path: str
) -> None:
    session = client.declare()
    if "/obligations/" in path:
        send(client, session, "/obligations")
    body = client.request("GET", session).json()
    problem = "must be the one in the path"
    with nothing_changes(store):
        sent = BODIES[path][1] | {"session_id": str(uuid4())}
        details = {"member": "session_id", "problem": problem}
        assert refusal(send(client, session, path, json=sent)) == (400, "INVALID_REQUEST", details)
    sent = BODIES[path][1] | {"session_id": body["session_id"].upper()}
    assert send(client, session, path, json=sent).status_code == 200


@pytest.mark.parametrize("path", ["/obligations/o/exit", "/terminate"])
def test_a_body_may_be_missing_where_nothing_in_it_is_needed(client: Client, path: str) -> None:
    session = client.declare()
    if "exit" in path:
        send(client, session, "/obligations")
    for content, kind in ((b"", None), (b"", "text/plain"), (b"{}", "application/json")):
        headers = {"Content-Type": kind} if kind else {}
        answer = client.post(session + path, content=content, headers=headers)
        assert answer.status_code == 200
    null = {"context": None, "notes": None, "session_id": None}
    assert client.post(session + path, json=null).status_code == 200
    trace = client.get(f"{session}/audit").json()["events"][-4:]
    assert [event["payload"]["context"] for event in trace] == [{}] * 4
    assert all("notes" not in event for event in trace)


@pytest.mark.parametrize("path", ["/eliminate", "/eliminate/batch", "/conclusions", "/obligations"])
def test_a_body_is_there_where_something_in_it_is_needed(client: Client, path: str) -> None:
    details = {"member": "body", "problem": "must be a JSON object"}
    answer = client.post(client.declare() + path)
    assert refusal(answer) == (400, "INVALID_REQUEST", details)
