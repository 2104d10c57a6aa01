"""Text that looks like SQL is text: kept as it is or refused, and nothing else happens."""

import json
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import pytest
from psycopg import Connection

from tests.http.test_errors import BODIES
from tests.http.wire import events, exchange, head, is_whole, post
from tests.support.beliefs import contents
from tests.support.sizes import sampled
from tests.support.tables import TABLES
from tests.support.web import ONTOLOGY, Client

TEXTS = [
    "'",
    "''",
    '"',
    "\\",
    "\\'",
    "';drop table cmbs_store.session cascade;--",
    "'); delete from cmbs_store.tombstone; --",
    "$$",
    "$tag$ x $tag$",
    "%s",
    "%(x)s",
    "%%",
    "%",
    "%b%t",
    ":x",
    ":'x'",
    "{}",
    "{0}",
    '{NULL,"a"}',
    "$1",
    "NULL",
    "/* x */ -- y",
    "E'\\x00'",
    "\\\\;",
    "1; select pg_sleep(100)",
    "a','b",
    "{a,b}",
    "${jndi:ldap://x}",
    "<script>alert(1)</script>",
    "../../etc/passwd",
    "0x27",
    "\u02bc or 1=1",
]


@pytest.fixture(autouse=True)
def _nothing_else_happens(store: Connection[Any]) -> Any:
    functions = "select count(*), md5(string_agg(p.prosrc, '' order by p.oid)) from pg_proc as p"
    schema = "select count(*) from pg_class"
    before = store.execute(functions).fetchone(), store.execute(schema).fetchone()
    # Whether there is a session yet depends on the tests before.
    names = {row[0] for row in contents(store)} | {"row"}
    yield
    assert (store.execute(functions).fetchone(), store.execute(schema).fetchone()) == before
    assert {row[0] for row in contents(store)} | {"row"} == names >= set(TABLES)


@pytest.mark.parametrize("text", TEXTS)
def test_it_is_kept_in_every_member_of_every_body(client: Client, text: str) -> None:
    free = {text: [text, {text: text}]}
    ontology = dict.fromkeys(ONTOLOGY, text)
    session = client.declare(text, ontology=ontology, metadata=free, notes=text)
    obligation = quote(text, safe="")
    sent: list[tuple[str, dict[str, Any]]] = [
        ("/eliminate", {"source_id": text, "observation_id": text, "eliminated": [text]}),
        ("/obligations", {"obligation_id": text, "min_total_eliminations": 1}),
        (f"/obligations/{obligation}/exit", {"context": free}),
        (f"/obligations/{obligation}/waive", {"reason": text}),
        ("/conclusions", {"conclusion_id": text, "context": free}),
        ("/terminate", {"context": free}),
    ]
    for path, body in sent:
        more = {"justification": free} if path == "/eliminate" else {}
        key = {"Idempotency-Key": f"{path[-6:]}{text}"} if text.isascii() else {}
        answer = client.post(session + path, json=body | more | {"notes": text}, headers=key)
        assert answer.status_code == 200, answer.text
    declared, eliminated, entered, denied, waived, concluded, ended = events(client, session)
    assert declared["payload"]["ontology"] == ontology
    assert declared["payload"]["metadata"] == free
    assert declared["payload"]["hypotheses"] == [text]
    assert eliminated["payload"] == {**sent[0][1], "justification": free}
    assert entered["payload"]["obligation_id"] == denied["payload"]["obligation_id"] == text
    assert waived["payload"]["waive_reason"] == text
    assert concluded["payload"]["conclusion_id"] == text
    assert ended["payload"]["context"] == denied["payload"]["context"] == free
    assert {event["notes"] for event in events(client, session)} == {text}
    assert is_whole(client, session)


@pytest.mark.parametrize("text", TEXTS)
def test_it_is_kept_or_refused_in_paths_and_queries(client: Client, text: str) -> None:
    session = client.declare(text)
    written = quote(text, safe="")
    found = client.get(f"{session}/hypotheses/{written}")
    assert (found.status_code, found.json()["hypothesis_id"]) == (200, text)
    space = f"/v1/hypothesis-spaces/{written}/versions/{quote(f'{text}{uuid4()}', safe='')}"
    assert client.put(space, json={"hypotheses": [text]}).status_code == 201
    assert client.get(space).json()["hypotheses"] == [text]
    listed = client.get("/v1/sessions", params={"hypothesis_space_id": text})
    assert listed.status_code == 200
    for path, name in (
        ("/v1/sessions", "cursor"),
        ("/v1/sessions", "limit"),
        ("/v1/sessions", "terminated"),
        (f"{session}/audit", "since_event_id"),
        (f"{session}/audit", "limit"),
        (session, "as_of"),
        (session, text),
    ):
        assert client.get(path, params={name: text}).status_code == 400
    for path in (f"/v1/sessions/{written}", f"{session}/audit/{written}", f"/v1/{written}"):
        assert client.get(path).status_code == 404


HEADERS = ["Idempotency-Key", "If-Match", "If-None-Match", "Prefer", "X-Request-ID", "Accept"]
HEADERS += ["Accept-Encoding", "Content-Encoding", "Content-Type", "User-Agent", "X-Forwarded-For"]


@pytest.mark.parametrize("name", sampled(HEADERS))
def test_it_is_kept_or_refused_in_headers(client: Client, site: SimpleNamespace, name: str) -> None:
    for text in TEXTS:
        session = client.declare()
        line = f"{name}: {text}".encode().decode("latin-1")
        for sent in (
            post(f"{session}/conclusions", json.dumps(BODIES["/conclusions"][1]).encode(), line),
            head("GET", session, line),
            head("GET", f"{session}/audit", line),
        ):
            status = int(exchange(site.address, sent).split()[1])
            assert status in (200, 400, 412, 415), (name, text)
        for event in events(client, session)[1:]:
            assert event["payload"].get("request_id", text) == text
        assert is_whole(client, session)
