"""Text that looks like SQL, through every field, path, query and header of every route."""

import itertools
import json
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import quote
from uuid import uuid4

import psycopg
import pytest

from cmbs.api.docs import openapi
from cmbs.api.docs.components import example_of, inlined
from cmbs.api.routes import ROUTES
from cmbs.api.shell.admission import Terms
from cmbs.deploy import migrate
from tests.attacks.payloads import N_SHARES, TEXTS, share
from tests.attacks.scene import state
from tests.sql.verdict.scene import ALWAYS, CLAIMS, GRANT, tool_call
from tests.support.beliefs import Connection
from tests.support.databases import copied
from tests.support.sizes import sampled
from tests.support.tables import STATE_TABLES, TABLES
from tests.support.web import Client, bearer, refusal, serving, token_of

DOCUMENT = inlined(openapi.document(ROUTES))
OPEN = {"/healthz", "/readyz"}
# Names in paths that come back wherever they are taken.
KEPT = {"hypothesis_id", "hypothesis_space_id", "schema_id"}
# What every request may carry beside what a route names.
HEADERS = ["X-Request-ID", "User-Agent", "Accept", "Accept-Encoding", "Content-Type", "Origin"]
HEADERS += ["X-Forwarded-For", "Content-Encoding", "Cookie", "Authorization", "traceparent"]


class Route(NamedTuple):
    method: str
    path: str
    parameters: list[tuple[str, str]]
    body: Any

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}"


def routes() -> Iterator[Route]:
    document = json.loads(openapi.as_json(DOCUMENT))
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            named = [(one["name"], one["in"]) for one in operation.get("parameters", [])]
            content = operation.get("requestBody", {}).get("content", {}).get("application/json")
            yield Route(method, path, named, content and example_of(content))


ALL = list(routes())
# Whether it is in the path, the query, a header or the body, and where there.
Spot = tuple[str, Any]


class Place(NamedTuple):
    client: Client
    admin: Connection
    address: str


@pytest.fixture(scope="module")
def place(server: Any, template: Any) -> Iterator[Place]:
    with copied(server, template, "injection") as database:
        migrate.migrate(database)
        roles = ("agent", "policy", "approver", "auditor", "admin")
        token = token_of(database, "operator", *roles)
        terms = Terms(needs_token=True, is_local=True, rate=0)
        with (
            psycopg.connect(database, autocommit=True) as admin,
            serving(database, terms=terms) as address,
            Client(base_url=address, headers=bearer(token), timeout=60) as client,
        ):
            before = catalog(admin)
            yield Place(client, admin, address)
            # Once for all: whatever was written by then.
            assert catalog(admin) == before
            verified = "select count(*) from cmbs.verify_all() as v where not v.ok"
            assert admin.execute(verified).fetchall() == [(0,)]
            assert client.get("/v1/identities/verify").json()["ok"] is True


def catalog(admin: Connection) -> dict[str, str | None]:
    return {name: one for name, one in state(admin).items() if name not in TABLES}


def names(client: Client) -> dict[str, str]:
    """Something of each kind that paths and queries name."""
    session = client.declare()
    event = client.eliminate(session, "a")["audit_event_id"]
    client.put("/v1/hypothesis-spaces/s/versions/1", json={"hypotheses": ["a"]})
    made = {"name": f"known {uuid4()}", "kind": "agent", "roles": ["agent"]}
    assert client.post("/v1/principals", json=made).status_code == 201
    token = client.post(f"/v1/principals/{made['name']}/tokens", json={}).json()
    found = {"session_id": session[-36:], "event_id": event, "hypothesis_id": "b"}
    found |= {"from": event, "to": event, "without_source": "s", "name": str(made["name"])}
    found |= {"hypothesis_space_id": "s", "hypothesis_version": "1", "obligation_id": "o"}
    return found | {"token_id": token["token_id"]} | arbitrated(client, session)


def arbitrated(client: Client, session: str) -> dict[str, str]:
    """The same of what arbitration knows."""

    def sent(method: str, path: str, **body: Any) -> Any:
        answer = client.request(method, path, json=body)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()

    sent("put", "/v1/schemas/restart", type="object")
    sent("put", "/v1/tools/db.restart", args_schema="restart")
    sent("post", "/v1/policies/known/versions", entries=GRANT | CLAIMS)
    sent("post", f"{session}/arbitration", pack="known", version=1)
    grant = {"holder": "operator", "tools": ["db.restart"], "budgets": {"max_calls": 9}}
    token = sent("post", f"{session}/capability-tokens", **grant, expires_at=ALWAYS)
    proposal = sent(
        "post",
        f"{session}/proposals",
        state_snapshot_id=token["audit_event_id"],
        provenance={"source": "s"},
        capability_token=token["secret"],
        idempotency_key=str(uuid4()),
        items=[tool_call("db.restart")],
    )
    assert proposal["decision"] == "allow", proposal
    (permit,) = (item["permit_id"] for item in proposal["items"])
    applied = sent("post", f"{session}/arbitration", pack="supervised", version=1)
    asked = sent(
        "post",
        f"{session}/proposals",
        state_snapshot_id=applied["audit_event_id"],
        provenance={"source": "s"},
        capability_token=token["secret"],
        idempotency_key=str(uuid4()),
        items=[tool_call("db.restart")],
    )
    (question,) = (item["interrupt_id"] for item in asked["items"])
    sent("post", f"{session}/arbitration", pack="known", version=1)
    claim = {"kind": "hypothesis", "key": "k", "value": 1, "ttl_ms": 10**9}
    made = sent("post", f"{session}/claims", **claim)
    found = {"pack": "known", "version": "1", "to_version": "1", "schema_id": "restart"}
    found |= {"tool_id": "db.restart", "key": "k", "claim_id": made["claim_id"]}
    found |= {"proposal_id": asked["proposal_id"], "capability_id": token["token_id"]}
    found |= {"permit_id": permit, "interrupt_id": question}
    return found | {"snapshot": made["audit_event_id"], "capability_token": token["secret"]}


def places_of(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where in a body there is a text."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from places_of(one, (*at, name))
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from places_of(one, (*at, number))
    elif isinstance(value, str):
        yield at


def with_text(value: Any, at: tuple[Any, ...], text: str) -> Any:
    if not at:
        return text
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[at[0]] = with_text(value[at[0]], at[1:], text)
    return copy


def send(client: Client, told: dict[str, str], route: Route, spot: Spot, text: str) -> Any:
    kind, at = spot
    path, query, headers, body = route.path, {}, {}, route.body
    if route.path == "/v1/sessions" and body and at != ("session_id",):
        body = {**body, "session_id": str(uuid4())}
    for name, where in route.parameters:
        if where == "path":
            meant = "capability_id" if "capability-tokens" in route.path else "token_id"
            known = told.get(meant if name == "token_id" else name, "x")
            value = text if (kind, at) == ("path", name) else known
            path = path.replace("{" + name + "}", quote(value, safe=""))
        elif (
            where == "query"
            and name in told
            and route.path.endswith(("diff", "whatif", "policy-replay"))
        ):
            is_version = name == "to" and "/policies/" in route.path
            query[name] = told["to_version" if is_version else name]
    if kind == "query":
        query[at] = text
    elif kind == "header":
        headers[at] = text.encode()
    if route.path.endswith("/proposals") and body:
        # As documented, but of this session.
        shown = {
            "state_snapshot_id": told["snapshot"],
            "capability_token": told["capability_token"],
        }
        body = body | shown
    if kind == "body":
        body = with_text(body, at, text)
    more = {} if body is None else {"json": body}
    return client.request(route.method, path, params=query, headers=headers, **more)


def spots(route: Route) -> Iterator[Spot]:
    for name, where in route.parameters:
        yield where, name
    for name in HEADERS:
        yield "header", name
    for at in places_of(route.body):
        yield "body", at


def texts_for(route: Route, kind: str, at: Any) -> list[str]:
    """Those of its share; of headers that mean the same to every route each route gets a sixth."""
    if kind == "header" and (at, kind) not in route.parameters:
        return share(TEXTS, ALL.index(route), 6 * N_SHARES)
    return share(TEXTS, ALL.index(route) + len(str(at)), N_SHARES)


def rows(admin: Connection) -> dict[str, set[str]]:
    """What can only be added to: no request takes any of it away."""
    query = "select t::text from cmbs_store.{} as t"
    return {
        name: {row for (row,) in admin.execute(query.format(name).encode())}
        for name in set(TABLES) - STATE_TABLES
    }


@pytest.mark.parametrize("route", sampled(ALL), ids=[route.name for route in ALL])
def test_every_text_of_every_route_is_text(place: Place, route: Route) -> None:
    told = names(place.client)
    before = rows(place.admin)
    for kind, at in spots(route):
        for text in texts_for(route, kind, at):
            if kind == "header" and ("\n" in text or text == "\t"):
                # No client can send these; bytes of all kinds are sent by the tests of the wire.
                continue
            answer = send(place.client, told, route, (kind, at), text)
            where = f"{route.name} {kind} {at}: {text!r} {answer.text[:300]}"
            assert answer.status_code < 500, where
            if answer.status_code >= 400:
                assert refusal(answer)[1] != "INTERNAL", where
            elif kind == "path" and at in KEPT:
                assert json.dumps(text)[1:-1] in answer.text or text in answer.text, where
    after = rows(place.admin)
    assert all(before[name] <= after[name] for name in before)


ANONYMOUS: tuple[dict[str, str], ...] = (
    {},
    {"Authorization": "Bearer cmbs_" + "x" * 43},
    {"Authorization": "Basic b3BlcmF0b3I6"},
    {"Cookie": "token=operator"},
    {"X-Forwarded-User": "operator", "X-Forwarded-For": "127.0.0.1"},
)


def test_the_anonymous_are_turned_away(place: Place, subtests: pytest.Subtests) -> None:
    known = names(place.client)
    before = state(place.admin)
    # As through a proxy: a program of this machine reads metrics without a token.
    with Client(base_url=place.address, headers={"Via": "1.1 proxy"}) as anybody:
        for route, headers in itertools.product(ALL, ANONYMOUS):
            path = route.path
            for name, value in known.items():
                path = path.replace("{" + name + "}", value)
            more = {} if route.body is None else {"json": route.body}
            with subtests.test(route.name, headers=headers):
                answer = anybody.request(route.method, path, headers=headers, **more)
                if route.path in OPEN:
                    assert answer.status_code == 200
                else:
                    assert refusal(answer)[:2] == (401, "UNAUTHENTICATED")
    assert state(place.admin) == before


def test_every_route_is_here() -> None:
    assert {route.path for route in ALL} >= {"/v1/whoami", "/v1/sessions", *OPEN}
