"""Who is let in: tokens that count, tokens that do not, and where none is needed."""

import contextlib
import json
import logging
import socket
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from cmbs.api.shell import admission
from cmbs.api.shell.admission import Terms
from cmbs.database import tokens
from cmbs.database.calls import call
from tests.http.test_access_log import Log, log  # noqa: F401
from tests.http.test_routes import METHODS
from tests.http.tour import message, tour
from tests.http.wire import NOBODY, answered, connected, error_of, exchange, head, received
from tests.support.callers import token_id
from tests.support.web import ONTOLOGY, Client, bearer, refusal, serving, site_over, token_of

CLOSED = Terms(rate=0)
EVERYTHING = ("agent", "encoder", "tool", "policy", "approver", "auditor")
OPEN_PATHS = ("/healthz", "/readyz", "/schema", "/schema/openapi.json", "/schema/openapi.yaml")


@pytest.fixture(scope="module")
def site(server: SimpleNamespace, template: Any) -> Iterator[SimpleNamespace]:
    with site_over(server, template, "authentication", CLOSED) as site:
        site.token = token_of(site.database, "ann", *EVERYTHING, tenant="default")
        yield site


@pytest.fixture(scope="module")
def ann(site: SimpleNamespace) -> Iterator[Client]:
    with Client(base_url=site.address, headers=bearer(site.token)) as client:
        yield client


@pytest.fixture
def anybody(site: SimpleNamespace) -> Iterator[Client]:
    with Client(base_url=site.address) as client:
        yield client


@contextlib.contextmanager
def owner(site: SimpleNamespace) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(site.database, autocommit=True) as connection:
        yield connection


def is_turned_away(answer: Any, problem: str) -> None:
    assert refusal(answer) == (401, "UNAUTHENTICATED", {"credential": problem})
    shown = ' error="invalid_token"' * ("authorization" in answer.request.headers)
    assert answer.headers["www-authenticate"] == f"Bearer{shown}"


def test_with_a_token_every_route_answers(ann: Client) -> None:
    for _, status, answer in tour(ann):
        assert answer.status_code == status, answer.text
    actors = {event["actor"] for event in ann.get(f"{ann.declare()}/audit").json()["events"]}
    assert actors == {"ann"}


@pytest.mark.parametrize("path", METHODS)
def test_without_one_no_route_answers(anybody: Client, path: str) -> None:
    # As through a proxy: a program of this machine reads metrics without one.
    anybody.headers["Via"] = "1.1 proxy"
    for method in METHODS[path] - {"HEAD"}:
        answer = anybody.request(method, path)
        if path in OPEN_PATHS:
            assert answer.status_code == 200
        else:
            is_turned_away(answer, "missing")
    assert anybody.options(path).status_code == 204
    assert anybody.head(path).status_code in (200, 401)


def test_nobody_is_told_which_paths_there_are(anybody: Client) -> None:
    for path in ("/", "/nothing", "/v1/nothing", "/healthz/x", "/schemata", "//v1/sessions"):
        is_turned_away(anybody.get(path), "missing")
    assert refusal(anybody.get("/schema/nothing"))[1] == "NOT_FOUND"


@pytest.mark.parametrize(
    "shown",
    [
        *("", "Bearer", "Basic YTpi", "Bearer a b", "Bearer a, Bearer b"),
        *("cmbs_x", "Bearer\tx", 'Bearer "x"', "Bearer ü", "Token x", "Bearer x;y"),
    ],
)
def test_what_is_not_one_token_is_refused(anybody: Client, shown: str) -> None:
    for path in ("/v1/sessions", "/v1/whoami"):
        answer = anybody.get(path, headers={"Authorization": shown.encode()})
        is_turned_away(answer, "not one Bearer token")


def test_two_tokens_are_none(site: SimpleNamespace) -> None:
    header = f"Authorization: Bearer {site.token.text}"
    status, _, details = error_of(exchange(site.address, head("GET", "/v1/whoami", header, header)))
    assert (status, details) == (401, {"credential": "not one Bearer token"})


def test_the_scheme_is_written_in_any_case(site: SimpleNamespace, anybody: Client) -> None:
    for scheme in ("bearer", "BEARER", "Bearer "):
        shown = {"Authorization": f"{scheme} {site.token.text}"}
        assert anybody.get("/v1/whoami", headers=shown).status_code == 200


def test_what_is_open_does_not_look_at_tokens(anybody: Client) -> None:
    for path in OPEN_PATHS:
        assert anybody.get(path, headers={"Authorization": "Bearer x"}).status_code == 200


def test_an_unknown_token_is_refused_before_its_body_is_sent(site: SimpleNamespace) -> None:
    lines = ("Authorization: Bearer cmbs_x", "Content-Length: 9000000")
    with connected(site.address) as connection:
        connection.sendall(head("POST", "/v1/sessions", *lines, close=False))
        # Nothing of the body was sent, and nobody waits for it.
        raw = b""
        while b"\r\n\r\n" not in raw or not raw.endswith(b"}}}"):
            part = connection.recv(2**16)
            assert part
            raw += part
    assert error_of(raw)[:2] == (401, "UNAUTHENTICATED")


def test_a_token_that_ends_is_refused_by_the_next_call(site: SimpleNamespace) -> None:
    token = token_of(site.database, "bob", "agent", tenant="default")
    with Client(base_url=site.address, headers=bearer(token)) as bob, owner(site) as store:
        session = bob.declare()
        past = "update cmbs_store.api_token set expires_at = now() where prefix = %s"
        store.execute(past, [token.prefix])
        is_turned_away(bob.get(session), "expired")
        is_turned_away(bob.get(session), "expired")


def test_a_disabled_principal_is_refused_until_it_is_enabled(site: SimpleNamespace) -> None:
    token = token_of(site.database, "carl", "agent", tenant="default")
    change = {"name": "carl", "tenant": "default"}
    with Client(base_url=site.address, headers=bearer(token)) as carl, owner(site) as store:
        session = carl.declare()
        call(store, "change_principal", **change, is_enabled=False)
        is_turned_away(carl.get(session), "its principal is disabled")
        call(store, "change_principal", **change, is_enabled=True)
        assert carl.get(session).status_code == 200


@pytest.mark.parametrize("accept", ["application/x-ndjson", "application/json"])
def test_a_log_ends_where_its_reader_is_revoked(site: SimpleNamespace, accept: str) -> None:
    token = token_of(site.database, f"eve {accept}", "agent", tenant="default")
    shown = bearer(token)
    with Client(base_url=site.address, headers=shown) as eve, owner(site) as store:
        session = eve.declare()
        # More than what waits on the way to a reader that stands still.
        for n in range(30):
            body = message(f"o{n}", "a") | {"justification": {"x": "x" * 1_000_000}}
            assert eve.post(f"{session}/eliminate", json=body).status_code == 200
        length = len(eve.get(f"{session}/audit", headers={"Accept": accept}).content)
        host, port = site.address.removeprefix("http://").split(":")
        with socket.socket() as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2**16)
            connection.settimeout(30)
            connection.connect((host, int(port)))
            lines = [f"{name}: {value}" for name, value in (shown | {"Accept": accept}).items()]
            connection.sendall(head("GET", f"{session}/audit", *lines))
            first = connection.recv(1000)
            call(store, "revoke_token", token_id=token_id(token.digest))
            raw = first + received(connection)
        status, headers, body = answered(raw)
        assert (status, headers["transfer-encoding"]) == (200, "chunked")
        assert not body.endswith(b"0\r\n\r\n"), "it is not taken for a whole one"
        assert b'"seq": 2' in body.replace(b"\\", b"")
        assert 0 < len(body) < length
        assert b"UNAUTHENTICATED" not in body
        is_turned_away(eve.get(session), "revoked")


def test_a_token_covers_its_verbs_and_says_whose_it_is(site: SimpleNamespace) -> None:
    verbs = ["query_belief", "audit_trace"]
    token = token_of(site.database, "dora", *EVERYTHING, tenant="default", verbs=verbs)
    with Client(base_url=site.address, headers=bearer(token)) as dora:
        assert dora.get("/v1/whoami").json()["token"]["verbs"] == sorted(verbs)
        assert refusal(dora.get(NOBODY))[1] == "SESSION_NOT_FOUND"
        assert refusal(dora.get(f"{NOBODY}/audit"))[1] == "SESSION_NOT_FOUND"
        expected = (403, "FORBIDDEN", {"verb": "verify", "verbs": sorted(verbs)})
        assert refusal(dora.get(f"{NOBODY}/verify")) == expected
        lines = {"Accept": "application/x-ndjson"}
        assert refusal(dora.get(f"{NOBODY}/audit", headers=lines))[2]["verb"] == "audit_lines"


def test_a_session_of_others_is_one_that_never_was(site: SimpleNamespace, ann: Client) -> None:
    token = token_of(site.database, "eve", *EVERYTHING, tenant="other")
    here = ann.declare()
    session, nobody = here.rpartition("/")[2], str(uuid4())
    body = message("o", "a")
    with Client(base_url=site.address, headers=bearer(token)) as eve:

        def told(method: str, of: str, path: str, **more: Any) -> tuple[int, Any, str]:
            answer = eve.request(method, f"/v1/sessions/{of}{path}", **more)
            kept = {k: v for k, v in answer.headers.items() if k not in ("date", "x-request-id")}
            return answer.status_code, kept, answer.text.replace(of, "")

        for method, path, more in (
            *(("GET", path, {}) for path in ("", "/audit", "/verify", "/explain", "/obligations")),
            ("GET", "/hypotheses/a", {}),
            ("GET", "/audit", {"headers": {"Accept": "application/x-ndjson"}}),
            ("GET", "/conclusions", {}),
            ("POST", "/eliminate", {"json": body}),
            ("POST", "/eliminate/batch", {"json": {"messages": [body]}}),
            ("POST", "/conclusions", {"json": {"conclusion_id": "a"}}),
            ("POST", "/terminate", {}),
        ):
            found = told(method, session, path, **more)
            assert found == told(method, nobody, path, **more)
            assert found[0] == 404
        assert eve.get("/v1/sessions").json()["sessions"] == []
        declare = {"session_id": session, "ontology": ONTOLOGY, "hypotheses": ["a"]}
        assert refusal(eve.post("/v1/sessions", json=declare))[:2] == (409, "CONFLICT")
    assert ann.get(here).json()["audit_seq"] == 1


def test_a_long_log_is_cut_off_where_its_reader_was_shut_out(site: SimpleNamespace) -> None:
    token = token_of(site.database, "finn", *EVERYTHING, tenant="default")
    with Client(base_url=site.address, headers=bearer(token)) as finn:
        session = finn.declare()
        for n in range(12):
            finn.eliminate(session, "a", observation=str(n))
        with owner(site) as store:
            # What was sent before is not taken back; each page is asked for with the token.
            seen = finn.get(f"{session}/audit").json()["events"]
            assert len(seen) == 13
            token_id = finn.get("/v1/whoami").json()["token"]["token_id"]
            call(store, "revoke_token", token_id=token_id)
        for kind in ("application/json", "application/x-ndjson"):
            is_turned_away(finn.get(f"{session}/audit", headers={"Accept": kind}), "revoked")


def test_the_line_names_the_caller_and_never_the_token(
    ann: Client,
    anybody: Client,
    log: Log,  # noqa: F811
    caplog: pytest.LogCaptureFixture,
) -> None:
    line = log.of(ann.get(NOBODY))
    assert (line["principal"], line["tenant"]) == ("ann", "default")
    line = log.of(anybody.get(NOBODY))
    assert (line["principal"], line["tenant"], line["status"]) == (None, None, 401)
    text = tokens.new().text
    log.of(anybody.get(NOBODY, headers={"Authorization": f"Bearer {text}"}))
    mine = ann.headers["authorization"].removeprefix("Bearer ")
    assert text not in caplog.text
    assert mine not in caplog.text


def test_where_tokens_are_needed_a_mighty_login_changes_nothing(database: str) -> None:
    with serving(database, "postgres", CLOSED) as address, Client(base_url=address) as client:
        is_turned_away(client.get("/v1/sessions"), "missing")
        token = token_of(database, "ann", "agent", tenant="default")
        assert client.get("/v1/sessions", headers=bearer(token)).status_code == 200


def test_an_open_server_closes_with_the_first_principal(database: str) -> None:
    with serving(database) as address, Client(base_url=address) as client:
        assert client.get("/v1/whoami").json()["is_open"] is True
        assert client.get("/v1/sessions").status_code == 200
        token = token_of(database, "ann", "agent", tenant="default")
        is_turned_away(client.get("/v1/sessions"), "missing")
        told = client.get("/v1/whoami", headers=bearer(token)).json()
        assert (told["name"], told["is_open"]) == ("ann", False)
        is_turned_away(client.get("/v1/sessions"), "missing")


def test_a_token_is_looked_at_where_none_is_needed(web: Client) -> None:
    assert web.get("/v1/sessions").status_code == 200
    is_turned_away(web.get("/v1/sessions", headers={"Authorization": "Bearer x"}), "unknown")


@pytest.mark.parametrize("shown", ["", "Bearer", "Basic YTpi", "Bearer a b"])
def test_nor_is_anything_else_taken_for_a_token_there(web: Client, shown: str) -> None:
    """Whoever shows something means to be somebody, and not the server."""
    answer = web.get("/v1/sessions", headers={"Authorization": shown})
    is_turned_away(answer, "not one Bearer token")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (["Host: localhost"], 200),
        (["Host: LOCALHOST:8000"], 200),
        (["Host: 127.0.0.1:1"], 200),
        (["Host: [::1]:8000"], 200),
        (["Host: rebound.example"], 403),
        (["Host: localhost.rebound.example"], 403),
        (["Host: 127.0.0.1.rebound.example:8000"], 403),
        (["Host: localhost:8000", "Origin: http://localhost:8000"], 200),
        (["Host: localhost:8000", "Origin: http://localhost:9000"], 403),
        (["Host: localhost:8000", "Origin: https://other.example"], 403),
        (["Host: localhost:8000", "Origin: null"], 403),
    ],
)
def test_an_open_server_is_not_for_pages_of_others(
    web: Client, headers: list[str], status: int
) -> None:
    address = str(web.base_url).rstrip("/")
    lines = ["GET /v1/sessions HTTP/1.1", *headers, "Connection: close", "", ""]
    found, _, body = answered(exchange(address, "\r\n".join(lines).encode()))
    assert found == status
    if status == 403:
        error = json.loads(body)["error"]
        assert error["code"] == "FORBIDDEN"
        assert headers[-1].partition(":")[0] in error["details"]["problem"]


def test_beyond_this_machine_only_pages_are_looked_at(database: str) -> None:
    wide = Terms(needs_token=False, is_local=False, rate=0)
    with serving(database, terms=wide) as address:
        for origin, status in (("http://cmbs.example", 200), ("http://other.example", 403)):
            lines = ["GET /v1/sessions HTTP/1.1", "Host: cmbs.example", f"Origin: {origin}"]
            raw = exchange(address, "\r\n".join([*lines, "Connection: close", "", ""]).encode())
            assert answered(raw)[0] == status


def test_with_tokens_a_page_may_be_anywhere_and_is_told_nothing(ann: Client) -> None:
    headers = {"Origin": "https://other.example", "Host": "cmbs.example"}
    assert ann.get("/v1/sessions", headers=headers).status_code == 200


@pytest.mark.parametrize("path", ["/v1/sessions", "/healthz", "/schema", "/nothing"])
def test_no_page_of_another_site_is_ever_let_in(ann: Client, path: str) -> None:
    asked = {
        "Origin": "https://other.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization",
    }
    for method in ("OPTIONS", "GET", "POST", "HEAD"):
        answer = ann.request(method, path, headers=asked)
        found = [name for name in answer.headers if name.startswith("access-control")]
        assert found == []


SAFE = {
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
}


def test_every_answer_is_safe_to_look_at(ann: Client, anybody: Client) -> None:
    answers = [answer for _, _, answer in tour(ann)]
    answers += [anybody.get("/v1/sessions"), ann.get("/nothing"), ann.get("/schema/openapi.yaml")]
    answers += [ann.post("/v1/sessions"), ann.delete("/v1/sessions"), ann.options("/v1/sessions")]
    assert {answer.status_code for answer in answers} >= {200, 201, 204, 400, 401, 404, 405}
    for answer in answers:
        assert {name: answer.headers.get(name) for name in SAFE} == SAFE
        assert "strict-transport-security" not in answer.headers
    page = anybody.get("/schema").headers
    assert {name for name in SAFE if page[name] != SAFE[name]} == {"content-security-policy"}
    assert page.get_list("content-security-policy") == [page["content-security-policy"]]


def test_so_is_the_answer_to_what_is_not_http(site: SimpleNamespace) -> None:
    status, headers, _ = answered(exchange(site.address, b"NONSENSE\r\n\r\n"))
    assert status == 400
    assert {name: headers.get(name) for name in SAFE} == SAFE


def test_an_open_server_is_closed_by_its_first_principal(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admission, "_REMEMBERED", 0.0)
    # A second has not passed: the verb itself finds out.
    monkeypatch.setattr(admission, "_OPEN", 60.0)
    terms = Terms(needs_token=False, is_local=True, rate=5)
    with serving(database, terms=terms) as address, Client(base_url=address) as client:
        for _ in range(20):
            assert client.get("/v1/sessions").status_code == 200, (
                "nobody is counted while it is open"
            )
        token = token_of(database, "ann", "agent", tenant="default")
        assert client.get("/v1/sessions").status_code == 401
        # From the first refusal on nothing is read of who shows no token, whatever the path.
        assert client.get("/v1/nothing").status_code == 401
        cross = {"Origin": "http://elsewhere.example", "Host": "cmbs.example"}
        assert client.get("/v1/sessions", headers=bearer(token) | cross).status_code == 200
        found = [client.get("/v1/whoami", headers=bearer(token)).status_code for _ in range(20)]
        assert {200, 429} == {*found}


def test_no_body_is_read_of_a_stranger_once_there_is_a_principal(
    database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Even if nobody has called a verb since."""
    monkeypatch.setattr(admission, "_OPEN", 0.0)
    caplog.set_level(logging.WARNING)
    beginning = head("POST", "/v1/sessions", "Content-Length: 1000") + b"{"
    with serving(database) as address:
        with connected(address) as stranger:
            stranger.sendall(beginning)
            stranger.settimeout(0.3)
            with pytest.raises(TimeoutError):
                received(stranger)
        token_of(database, "ann", "agent", tenant="default")
        for _ in range(3):
            with connected(address) as stranger:
                stranger.sendall(beginning)
                found = error_of(received(stranger))
            assert found == (401, "UNAUTHENTICATED", {"credential": "missing"})
    (line,) = [json.loads(one.message) for one in caplog.records if one.name == "cmbs.api"]
    assert line["event"] == "closed", "from then on nobody is asked about strangers"


def test_a_revoked_token_is_refused_where_no_verb_is_called(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admission, "_REMEMBERED", 0.0)
    token = token_of(database, "ann", "agent", tenant="default")
    with serving(database, terms=Terms()) as address, Client(base_url=address) as client:
        client.headers = bearer(token)
        assert client.get("/v1/nothing").status_code == 404
        with psycopg.connect(database, autocommit=True) as owner:
            token_id = call(owner, "list_tokens")["tokens"][0]["token_id"]
            call(owner, "revoke_token", token_id=token_id)
        assert client.get("/v1/nothing").status_code == 401
