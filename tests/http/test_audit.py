"""The log over HTTP: pages and streams that are the same log, lines that hash to what they say."""

import hashlib
import json
import logging
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from psycopg import Connection
from psycopg.types.json import Json

from cmbs.api.rooms.log import answers
from cmbs.database.calls import call
from tests.http.tour import message
from tests.http.wire import answered, connected, exchange, head
from tests.support.servers import until
from tests.support.web import Client, refusal

LINES = {"Accept": "application/x-ndjson"}
EVENTS = 2301


@pytest.fixture(scope="module")
def session(site: SimpleNamespace, client: Client) -> str:
    """A session whose log has more events than any page."""
    session = client.declare(*[f"h{n}" for n in range(200)], notes="ä")
    for batch in range(0, EVENTS - 1, 1000):
        some = range(batch, min(batch + 1000, EVENTS - 1))
        messages = [message(f"o{n}", f"h{n}", f"x{n}") for n in some]
        answer = client.post(f"{session}/eliminate/batch", json={"messages": messages})
        assert answer.status_code == 200
    return session


@pytest.fixture(scope="module")
def whole(client: Client, session: str) -> list[Any]:
    events = client.get(f"{session}/audit").json()
    assert events["next_since_event_id"] is None
    return list(events["events"])


def pages(client: Client, session: str, limit: int, **headers: str) -> Iterator[Any]:
    since: str | None = None
    while True:
        query = {"limit": limit} | ({"since_event_id": since} if since else {})
        page = client.get(f"{session}/audit", params=query).json()
        yield from page["events"]
        since = page["next_since_event_id"]
        if since is None:
            return


def test_the_whole_log_is_streamed(client: Client, session: str, whole: list[Any]) -> None:
    assert [event["seq"] for event in whole] == [*range(1, EVENTS + 1)]
    answer = client.get(f"{session}/audit")
    assert answer.headers["transfer-encoding"] == "chunked"
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["vary"].startswith("Accept")
    msgspec.json.decode(answer.content, type=answers.Trace, strict=True)


@pytest.mark.parametrize("limit", [100, 999, 1000, 1001, EVENTS - 1, EVENTS, 10_000])
def test_the_pages_are_the_whole(
    client: Client, session: str, whole: list[Any], limit: int
) -> None:
    assert list(pages(client, session, limit)) == whole


def test_pages_of_one_event_are_the_whole(client: Client) -> None:
    session = client.declare()
    for n in range(9):
        client.eliminate(session, "a", observation=str(n))
    events = client.get(f"{session}/audit").json()["events"]
    for limit in range(1, 12):
        assert list(pages(client, session, limit)) == events, limit


@pytest.mark.parametrize("limit", [1, 3, 4, 5, 36, 37, 1000, 10_000, None])
def test_a_page_begins_after_an_event_and_says_where_the_next_begins(
    client: Client, session: str, whole: list[Any], limit: int | None
) -> None:
    for seq in (1, 4, 5, 1500, EVENTS - 1, EVENTS):
        query: dict[str, Any] = {"since_event_id": whole[seq - 1]["event_id"]}
        query |= {"limit": limit} if limit else {}
        page = client.get(f"{session}/audit", params=query).json()
        expected = whole[seq : seq + limit if limit else None]
        assert page["events"] == expected
        rest = seq + len(expected) < EVENTS
        assert page["next_since_event_id"] == (expected[-1]["event_id"] if rest else None)


def hashed(line: dict[str, Any]) -> str:
    return hashlib.sha256(line["record"].encode()).hexdigest()


@pytest.mark.parametrize("packed", ["gzip", "identity"])
def test_lines_hash_to_what_they_say(
    client: Client, session: str, whole: list[Any], packed: str
) -> None:
    answer = client.get(f"{session}/audit", headers=LINES | {"Accept-Encoding": packed})
    assert answer.headers["content-type"] == "application/x-ndjson"
    assert (answer.headers.get("content-encoding") == "gzip") == (packed == "gzip")
    assert answer.content.endswith(b"}\n")
    lines = [json.loads(line) for line in answer.content.splitlines()]
    for line in answer.content.splitlines():
        msgspec.json.decode(line, type=answers.Line, strict=True)
    assert len(lines) == EVENTS
    assert sorted(lines[0].pop("hypotheses")) == sorted(whole[0]["payload"]["hypotheses"])
    previous = "0" * 64
    for line, event in zip(lines, whole, strict=True):
        record = json.loads(line["record"])
        assert line == {"event_hash": event["event_hash"], "record": line["record"]}
        assert hashed(line) == line["event_hash"]
        assert record["prev_event_hash"] == previous
        previous = line["event_hash"]
        if event["seq"] > 1:
            assert record | {"event_hash": previous} == event
    assert previous == client.get(session).json()["audit_head_hash"]


@pytest.mark.parametrize("limit", [1, 4, 5, 36, 1000, 2300, 10_000, None])
@pytest.mark.parametrize("seq", [0, 1, 7, EVENTS - 1, EVENTS])
def test_lines_have_pages_too(
    client: Client, session: str, whole: list[Any], seq: int, limit: int | None
) -> None:
    query: dict[str, Any] = {"limit": limit} if limit else {}
    query |= {"since_event_id": whole[seq - 1]["event_id"]} if seq else {}
    answer = client.get(f"{session}/audit", params=query, headers=LINES)
    assert answer.status_code == 200
    lines = [json.loads(line) for line in answer.content.splitlines()]
    assert [line["event_hash"] for line in lines] == [
        event["event_hash"] for event in whole[seq : seq + limit if limit else None]
    ]
    assert [("hypotheses" in line) for line in lines] == [seq == n == 0 for n in range(len(lines))]


ACCEPTS = {
    "application/x-ndjson": True,
    "application/x-ndjson, application/json;q=0.5": True,
    "application/x-ndjson, */*": True,
    "application/json": False,
    "application/json, application/x-ndjson;q=0.5": False,
    "*/*": False,
    "application/*": False,
    "": False,
    "text/html": False,
    "garbage": False,
    ";q=x, /": False,
}


@pytest.mark.parametrize("accept", ACCEPTS)
def test_the_form_of_the_log_is_chosen(client: Client, accept: str) -> None:
    session = client.declare()
    answer = client.get(f"{session}/audit", headers={"Accept": accept})
    kind = "application/x-ndjson" if ACCEPTS[accept] else "application/json"
    assert (answer.status_code, answer.headers["content-type"]) == (200, kind)
    assert answer.content.startswith(b'{"event_hash"' if ACCEPTS[accept] else b'{"events": [')


def test_every_event_is_read_by_itself(client: Client, session: str, whole: list[Any]) -> None:
    for seq in (1, 2, 1000, EVENTS):
        event = client.get(f"{session}/audit/{whole[seq - 1]['event_id']}").json()
        assert event == whole[seq - 1]


def test_the_first_event_hashes_without_its_hypotheses(
    store: Connection[Any], whole: list[Any]
) -> None:
    event = dict(whole[0])
    event["payload"] = {k: v for k, v in event["payload"].items() if k != "hypotheses"}
    told = event.pop("event_hash")
    (text,) = store.execute("select %s::jsonb::text", [Json(event)]).fetchone() or [""]
    assert hashlib.sha256(text.encode()).hexdigest() == told


def test_large_events_come_whole(client: Client) -> None:
    session = client.declare()
    big = {"x": "ä" * (2**19 - 10)}
    for n in range(12):
        body = message(f"o{n}", "a", *[f"x{i:0400}" for i in range(1000)])
        answer = client.post(f"{session}/eliminate", json=body | {"justification": big})
        assert answer.status_code == 200
    trace = client.get(f"{session}/audit").json()["events"]
    assert [event["seq"] for event in trace] == [*range(1, 14)]
    assert {len(event["payload"]["eliminated"]) for event in trace[1:]} == {1001}
    lines = client.get(f"{session}/audit", headers=LINES).content.splitlines()
    assert [hashed(json.loads(line)) for line in lines] == [e["event_hash"] for e in trace]
    assert len(client.get(f"{session}/audit?limit=5").json()["events"]) == 5


def free_connections(store: Connection[Any]) -> bool:
    """Whether all connections of the application are idle, outside of any transaction."""
    query = "select count(*) from pg_stat_activity where datname = current_database() "
    query += "and usename = 'cmbs_server' and state <> 'idle'"
    return store.execute(query.encode()).fetchone() == (0,)


@pytest.mark.parametrize("accept", ["application/json", "application/x-ndjson"])
def test_readers_that_go_away_harm_nothing(
    site: SimpleNamespace,
    client: Client,
    store: Connection[Any],
    session: str,
    caplog: pytest.LogCaptureFixture,
    accept: str,
) -> None:
    caplog.set_level(logging.WARNING)
    # More of them than there are connections to the database.
    for _ in range(20):
        with connected(site.address) as connection:
            connection.sendall(head("GET", f"{session}/audit", f"Accept: {accept}"))
            assert connection.recv(100).startswith(b"HTTP/1.1 200 OK")
    until(lambda: free_connections(store))
    assert client.get(session).json()["audit_seq"] == EVENTS
    assert client.get(f"{session}/verify").json()["ok"]
    assert not caplog.records


def test_slow_readers_hold_no_connection(
    site: SimpleNamespace, client: Client, store: Connection[Any], session: str
) -> None:
    with connected(site.address) as one, connected(site.address) as two:
        for connection in (one, two):
            connection.sendall(head("GET", f"{session}/audit") * 1)
            connection.recv(100)
        until(lambda: free_connections(store))
        assert client.get("/readyz").status_code == 200


def test_a_log_that_grows_is_read_to_its_end(client: Client, store: Connection[Any]) -> None:
    session = client.declare()
    with client.stream("GET", f"{session}/audit", headers=LINES) as answer:
        lines = [json.loads(line) for line in answer.iter_lines()]
    assert len(lines) == 1
    call(
        store,
        "eliminate",
        session_id=session[-36:],
        source_id="s",
        observation_id="o",
        eliminated=["a"],
    )
    events = client.get(f"{session}/audit").json()["events"]
    assert [event["actor"] for event in events] == ["api", "postgres"]


def test_a_broken_chain_is_an_answer(web: Client, db: Connection[Any]) -> None:
    session = web.declare()
    web.eliminate(session, "a")
    db.execute("alter table cmbs_store.audit_event disable trigger all")
    db.execute("update cmbs_store.audit_event set record = record || ' ' where seq = 2")
    answer = web.get(f"{session}/verify")
    assert (answer.status_code, answer.json()["ok"]) == (200, False)
    assert answer.json()["first_bad"]["seq"] == 2
    msgspec.json.decode(answer.content, type=answers.Verified, strict=True)


def test_a_head_request_for_a_log_has_no_body(site: SimpleNamespace, session: str) -> None:
    status, _, body = answered(exchange(site.address, head("HEAD", f"{session}/audit")))
    assert (status, body) == (200, b"")


def test_a_limit_is_never_beyond_ten_thousand(client: Client, session: str) -> None:
    for accept in (LINES, {}):
        answer = client.get(f"{session}/audit?limit=10001", headers=accept)
        assert refusal(answer)[2]["member"] == "limit"
