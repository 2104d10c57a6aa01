"""Who a message is (Idempotency-Key), who a request is (X-Request-ID), and what it prefers."""

import json
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest
from psycopg import Connection

from tests.http.test_errors import BODIES, TOLD
from tests.http.wire import answered, error_of, events, exchange, head, nothing_changes, post
from tests.support.web import Client, refusal

WITH_KEY = [path for path in TOLD if "eliminate" not in path]
KEYS = ["k", "0" * 512, "ä\U0001f600", "a b", '"quoted"', "a,b", "%s$$'\\", "\u00a0", "\ue000"]


@pytest.mark.parametrize("key", KEYS)
def test_a_key_is_recorded_as_it_is(client: Client, site: SimpleNamespace, key: str) -> None:
    session = client.declare()
    header = f"Idempotency-Key: {key}".encode().decode("latin-1")
    sent = post(f"{session}/conclusions", b'{"conclusion_id": "c"}', header)
    status, _, _ = answered(exchange(site.address, sent))
    assert status == 200
    assert events(client, session)[-1]["payload"]["request_id"] == key


@pytest.mark.parametrize(
    ("headers", "problem"),
    [
        (["Idempotency-Key: "], "must be text of 1 to 512 bytes"),
        (["Idempotency-Key: " + "x" * 513], "must be text of 1 to 512 bytes"),
        (["Idempotency-Key: \xff"], "must be UTF-8"),
        (["Idempotency-Key: \xed\xa0\x80"], "must be UTF-8"),
        (["Idempotency-Key: a", "Idempotency-Key: a"], "may be sent once"),
    ],
)
@pytest.mark.parametrize("path", WITH_KEY)
def test_a_key_that_is_none_is_not_valid(
    client: Client,
    site: SimpleNamespace,
    store: Connection[Any],
    path: str,
    headers: list[str],
    problem: str,
) -> None:
    session = client.declare()
    with nothing_changes(store):
        body = json.dumps(BODIES[path][1]).encode()
        answer = error_of(exchange(site.address, post(session + path, body, *headers)))
        member = "request_id" if "bytes" in problem else "Idempotency-Key"
        assert answer == (400, "INVALID_REQUEST", {"member": member, "problem": problem})


def test_a_key_belongs_to_one_message_of_one_session(
    client: Client, store: Connection[Any]
) -> None:
    session, other = client.declare(), client.declare()
    key = {"Idempotency-Key": "k"}
    conclude = {"conclusion_id": "c", "context": {"n": 1}}
    first = client.post(f"{session}/conclusions", json=conclude, headers=key).json()
    with nothing_changes(store):
        same = {"conclusion_id": "c", "notes": "other", "context": {}}
        again = client.post(f"{session}/conclusions", json=same, headers=key).json()
        assert again == {**first, "duplicate": True}
        for path, body in (
            ("/conclusions", {"conclusion_id": "d"}),
            ("/terminate", {}),
            ("/obligations", BODIES["/obligations"][1]),
        ):
            answer = client.post(session + path, json=body, headers=key)
            status, code, details = refusal(answer)
            assert (status, code) == (409, "CONFLICT")
            assert details["audit_event_id"] == first["audit_event_id"]
    answer = client.post(f"{other}/conclusions", json=conclude, headers=key)
    assert answer.json()["duplicate"] is False


def test_messages_without_a_key_are_as_many_as_were_sent(client: Client) -> None:
    session = client.declare()
    for _ in range(3):
        answer = client.post(f"{session}/conclusions", json={"conclusion_id": "c"})
        assert answer.json()["duplicate"] is False
    assert len(events(client, session)) == 4


@pytest.mark.parametrize("sent", ["a", "x" * 128, "!~", "550e8400-e29b-41d4-a716-446655440000"])
@pytest.mark.parametrize("path", ["/healthz", "/nothing", "/v1/sessions?x=1", "/schema"])
def test_a_request_id_is_given_back(client: Client, sent: str, path: str) -> None:
    answer = client.get(path, headers={"X-Request-ID": sent})
    assert answer.headers["x-request-id"] == sent


HOSTILE = ["", "x" * 129, "a b", "\xe4", "\x7f", '{"a":\x01}', "\t"]


@pytest.mark.parametrize("sent", [None, *HOSTILE])
def test_a_request_id_is_made_where_none_is_usable(site: SimpleNamespace, sent: str | None) -> None:
    headers = [] if sent is None else [f"X-Request-ID: {sent}"]
    ids = set()
    for path in ("/healthz", "/nothing"):
        _, found, _ = answered(exchange(site.address, head("GET", path, *headers)))
        ids.add(UUID(found["x-request-id"]) if len(found["x-request-id"]) == 36 else None)
    assert len(ids) == 2
    assert None not in ids


MINIMAL = ["return=minimal", "Return=Minimal", 'return="minimal"', "return = minimal"]
MINIMAL += [
    "wait=1, return=minimal",
    "return=minimal; x=y",
    "return=minimal, return=representation",
]
FULL = ["", "return=representation", "minimal", "return", "return=", "xreturn=minimal", ";", ",,"]
FULL += ['x="a,return=minimal"', 'x="a, return=minimal, b"']
FULL += ["return=representation, return=minimal", "x=return=minimal", 'return="mini"mal"x']


@pytest.mark.parametrize("prefer", MINIMAL)
def test_who_prefers_it_gets_no_survivors(client: Client, prefer: str) -> None:
    session = client.declare()
    for answer in (
        client.get(session, headers={"Prefer": prefer}),
        client.post(f"{session}/terminate", headers={"Prefer": prefer}),
    ):
        assert answer.headers["preference-applied"] == "return=minimal"
        assert '"survivors":' not in answer.text


@pytest.mark.parametrize("prefer", FULL)
def test_everybody_else_gets_the_survivors(client: Client, prefer: str) -> None:
    session = client.declare()
    answer = client.get(session, headers={"Prefer": prefer})
    assert "preference-applied" not in answer.headers
    assert answer.json()["survivors"] == ["a", "b", "c", "d"]


def test_preferences_of_several_lines_are_one_list(client: Client, site: SimpleNamespace) -> None:
    session = client.declare()
    lines = ("Prefer: wait=1", "Prefer: return=minimal")
    _, _, body = answered(exchange(site.address, head("GET", session, *lines)))
    assert b'"survivors":' not in body
