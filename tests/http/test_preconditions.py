"""If-Match and If-None-Match: what each spelling matches, and what wins when many compete."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import httpx
import pytest
from psycopg import Connection

from tests.http.test_errors import BODIES, TOLD, send
from tests.http.tour import message
from tests.http.wire import NO_EVENT, NOBODY, events, is_whole, nothing_changes
from tests.support.web import ONTOLOGY, Client, refusal

N = 16
ZERO = "00000000-0000-0000-0000-000000000000"


def head_of(client: Client, session: str) -> str:
    return str(client.get(session).headers["etag"])


def matching(tags: str) -> dict[str, str]:
    return {"If-Match": tags}


def ready(client: Client, path: str) -> str:
    """A session in which this message does something."""
    session = client.declare("a", "b")
    if "/obligations/" in path:
        send(client, session, "/obligations")
    return session


MATCHES = ["{0}", "*", '{0} , "x"', '"x",{0}', '"x", "y", {0}', "{1}", ", {0},", "W/{0}, {0}"]
DIFFERS = ["W/{0}", '"{2}"', "{2}", "", "W/*", '"x", "{2}"', 'W/"x", "{2}"']
NO_HEADS = ['"x"', '"*"', '""', "x", "W/", '"x", W/"y", "z"']


@pytest.mark.parametrize("path", TOLD)
def test_a_message_that_names_the_head_is_taken(client: Client, path: str) -> None:
    for tags in MATCHES:
        session = ready(client, path)
        head = head_of(client, session)
        sent = tags.format(head, head.strip('"'))
        answer = send(client, session, path, headers=matching(sent))
        assert answer.status_code == 200, sent
        assert answer.headers["etag"] != head
        assert answer.headers["etag"] == head_of(client, session)


@pytest.mark.parametrize("path", TOLD)
def test_a_message_that_names_another_head_changes_nothing(
    client: Client, store: Connection[Any], path: str
) -> None:
    session = ready(client, path)
    head = head_of(client, session)
    with nothing_changes(store):
        for tags in DIFFERS:
            answer = send(client, session, path, headers=matching(tags.format(head, "", NO_EVENT)))
            status, code, details = refusal(answer)
            assert (status, code) == (412, "CONFLICT"), tags
            assert details["audit_head_event_id"] == head.strip('"')
            expected = NO_EVENT if "{2}" in tags else ZERO
            assert details["expected_head"] == expected, tags


def test_what_no_session_can_have_for_a_head_is_not_valid(
    client: Client, store: Connection[Any], subtests: pytest.Subtests
) -> None:
    """It is a mistake of whoever sent it, and no change that somebody else has made."""
    session = client.declare()
    problem = "must name the head of a session, which is the id of an event"
    with nothing_changes(store):
        for path in ["/v1/sessions", *TOLD]:
            for tags in NO_HEADS:
                with subtests.test(path, tags=tags):
                    answer = send(client, session, path, headers=matching(tags))
                    details = {"member": "If-Match", "problem": problem}
                    assert refusal(answer) == (400, "INVALID_REQUEST", details)


@pytest.mark.parametrize("tags", ['"x', 'x"', "a b", '"a""b"', '"x" , *', "*, *", '"', "a/b c"])
def test_what_is_no_list_of_tags_is_not_valid(
    client: Client, store: Connection[Any], tags: str
) -> None:
    session = client.declare()
    problem = "must be * or a list of tags in quotes"
    with nothing_changes(store):
        for path in ["/v1/sessions", *TOLD]:
            answer = send(client, session, path, headers=matching(tags))
            details = {"member": "If-Match", "problem": problem}
            assert refusal(answer) == (400, "INVALID_REQUEST", details)
        answer = client.get(session, headers={"If-None-Match": tags})
        assert refusal(answer)[2] == {"member": "If-None-Match", "problem": problem}


def test_a_declare_with_a_head_never_makes_a_session(
    client: Client, store: Connection[Any]
) -> None:
    new = {"session_id": str(uuid4()), "ontology": ONTOLOGY, "hypotheses": ["a"]}
    with nothing_changes(store):
        for head in (NO_EVENT, str(uuid4())):
            answer = client.post("/v1/sessions", json=new, headers=matching(f'"{head}"'))
            details = {"expected_head": head, "audit_head_event_id": None}
            assert refusal(answer) == (412, "CONFLICT", details)
            without = {"ontology": ONTOLOGY, "hypotheses": ["a"]}
            answer = client.post("/v1/sessions", json=without, headers=matching(f'"{head}"'))
            assert refusal(answer) == (412, "CONFLICT", details)
    client.post("/v1/sessions", json=new)
    with nothing_changes(store):
        answer = client.post("/v1/sessions", json=new, headers=matching(f'"{NO_EVENT}"'))
        assert (answer.status_code, answer.json()["duplicate"]) == (200, True)
        other = new | {"hypotheses": ["b"]}
        answer = client.post("/v1/sessions", json=other, headers=matching(f'"{NO_EVENT}"'))
        assert refusal(answer)[:2] == (409, "CONFLICT")


@pytest.mark.parametrize("path", TOLD)
def test_the_checks_come_in_their_order(client: Client, store: Connection[Any], path: str) -> None:
    """Shape, session, repetition, head, termination, the verb's own."""
    stale = matching(f'"{NO_EVENT}"')
    key = {"Idempotency-Key": "k"}
    session = ready(client, path)
    first = send(client, session, path, headers=key)
    assert first.status_code == 200
    again = send(client, session, path, headers=key | stale)
    repeated = first.text.replace('"duplicate": false', '"duplicate": true')
    assert again.text == repeated != first.text
    over = client.declare("a")
    client.post(f"{over}/terminate")
    with nothing_changes(store):
        wrong = {"headers": stale, "json": {"notes": 1} | ({"x": 1})}
        assert refusal(send(client, NOBODY, path, **wrong))[:2] == (400, "INVALID_REQUEST")
        wrong = {"headers": stale, "json": BODIES[path][1] | {"session_id": str(uuid4())}}
        assert refusal(send(client, NOBODY, path, **wrong))[:2] == (400, "INVALID_REQUEST")
        answer = send(client, NOBODY, path, headers=stale)
        assert refusal(answer)[:2] == (404, "SESSION_NOT_FOUND")
        assert refusal(send(client, over, path, headers=stale))[:2] == (412, "CONFLICT")
        right = matching(head_of(client, over))
        answer = send(client, over, path, headers=right)
        assert refusal(answer)[:2] == (409, "SESSION_TERMINATED")
    client.post(f"{session}/obligations/o/waive", json={"reason": "r"})
    client.eliminate(session, *client.get(session).json()["survivors"][1:], observation="z")
    assert client.post(f"{session}/terminate").json()["approved"]
    last = send(client, session, path, headers=key | stale)
    assert last.json()["duplicate"]
    assert last.json()["audit_event_id"] == first.json()["audit_event_id"]
    assert last.json()["snapshot"] == client.get(session).json()


def test_what_is_known_already_is_not_sent_again(client: Client) -> None:
    session = client.declare()
    head = head_of(client, session)
    for tags in (head, f"W/{head}", "*", f'"x", {head}', head.strip('"'), f'{head},"x"'):
        answer = client.get(session, headers={"If-None-Match": tags})
        assert (answer.status_code, answer.content) == (304, b""), tags
        assert answer.headers["etag"] == head
        assert answer.headers["vary"].startswith("Prefer, Accept")
        assert client.head(session, headers={"If-None-Match": tags}).status_code == 304
    for tags in ('"x"', "", f'"{NO_EVENT}"', '"*"'):
        assert client.get(session, headers={"If-None-Match": tags}).status_code == 200, tags
    client.eliminate(session, "a")
    assert client.get(session, headers={"If-None-Match": head}).status_code == 200
    as_of = f"{session}?as_of={head[1:-1]}"
    assert client.get(as_of, headers={"If-None-Match": head}).status_code == 304
    answer = client.get(f"{NOBODY}", headers={"If-None-Match": "*"})
    assert refusal(answer)[:2] == (404, "SESSION_NOT_FOUND")


def test_a_message_is_not_left_out_for_if_none_match(client: Client) -> None:
    session = client.declare()
    answer = client.post(f"{session}/terminate", headers={"If-None-Match": "*"})
    assert (answer.status_code, answer.json()["duplicate"]) == (200, False)


def at_once(call: Callable[[int], httpx.Response]) -> list[httpx.Response]:
    """The answers to N requests that leave together, each over a connection of its own."""
    gate = threading.Barrier(N)

    def one(i: int) -> httpx.Response:
        gate.wait(30)
        return call(i)

    with ThreadPoolExecutor(N) as threads:
        return list(threads.map(one, range(N)))


@pytest.mark.parametrize("path", TOLD)
def test_of_many_who_know_the_same_head_one_is_heard(client: Client, path: str) -> None:
    session = ready(client, path)
    head = matching(head_of(client, session))
    before = len(events(client, session))

    def tell(i: int) -> httpx.Response:
        body: Any = {**BODIES[path][1], "notes": str(i)}
        if path == "/eliminate":
            body["observation_id"] = str(i)
        if path == "/eliminate/batch":
            body = {"messages": [message(str(i), "a")]}
        return send(client, session, path, json=body, headers=head)

    answers = at_once(tell)
    assert sorted(answer.status_code for answer in answers) == [200] + [412] * (N - 1)
    assert len(events(client, session)) == before + 1
    assert is_whole(client, session)


@pytest.mark.parametrize("path", ["/v1/sessions", *TOLD])
def test_a_message_that_is_sent_many_times_at_once_is_one_event(client: Client, path: str) -> None:
    session = ready(client, path)
    before = len(events(client, session))
    body = BODIES[path][1]
    if path == "/v1/sessions":
        identity = str(uuid4())
        body, session, before = body | {"session_id": identity}, f"/v1/sessions/{identity}", 0
    key = {"Idempotency-Key": "the same"}
    answers = at_once(lambda _: send(client, session, path, json=body, headers=key))
    assert {answer.status_code for answer in answers} <= {200, 201}
    told = [answer.json() for answer in answers]
    assert sorted(answer["duplicate"] for answer in told) == [False] + [True] * (N - 1)
    assert len({answer["audit_event_id"] for answer in told}) == 1
    assert len(events(client, session)) == before + 1
    assert is_whole(client, session)
