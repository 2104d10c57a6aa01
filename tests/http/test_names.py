"""One name for a thing: verbs, operations, and the methods of both clients."""

import asyncio
import contextlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import pytest

from cmbs.api.app import create_app
from cmbs.api.docs import openapi, page
from cmbs.api.docs.components import inlined
from cmbs.api.routes import ROUTES
from cmbs.api.shell import metrics
from cmbs.api.shell.admission import Terms
from cmbs.api.shell.refusals import RequestRefused
from cmbs.client import AsyncClient, Client
from cmbs.database.pool import Database
from cmbs.errors import BeliefError
from tests.http.test_page import commands, routes_of
from tests.support.beliefs import ONTOLOGY

DOCUMENT = inlined(openapi.document(ROUTES))
# The operations by their routes, which keep their names whatever becomes of those of the verbs.
OPERATIONS: dict[str, str] = {
    f"{method.upper()} {path}": told["operationId"]
    for path, methods in DOCUMENT["paths"].items()
    for method, told in methods.items()
}
# What is called otherwise than its verb, and why.
PROBES = {
    "GET /healthz": "asks no database; called as probes are",
    "GET /readyz": "asks for the revision; called as probes are",
    "GET /metrics": "tells what was counted as well, as Prometheus reads it",
}
# Methods of clients that are no operation, and why.
NOT_OPERATIONS = {
    "close": "asks nothing",
    "audit_stream": "audit_trace, one event at a time",
}
CLIENTS = [Client, AsyncClient]
# Arguments that the clients look at before they send them; any text does for the others.
ARGUMENTS: dict[str, Any] = {
    "session_id": UUID(int=1),
    "ontology": ONTOLOGY,
    "hypotheses": ["a"],
    "eliminated": ["a"],
    "messages": [{"source_id": "s", "observation_id": "o", "eliminated": ["a"]}],
    "min_total_eliminations": 1,
    "roles": ["agent"],
}


@pytest.fixture
def verbs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, str | None]:
    """The verb that each route calls, when it is asked as the page of the documentation says."""
    called: list[str] = []

    async def rows(_: Database, verb: str, **arguments: object) -> list[bytes]:
        called.append(verb)
        # What the way in asks for, before any verb.
        if verb == "identify":
            return [b'{"is_open": true}']
        raise RequestRefused("UNAVAILABLE", 503)

    async def asked() -> dict[str, str | None]:
        found = {}
        terms = Terms(needs_token=False, is_local=True, rate=0)
        app = create_app("postgresql://", terms, metrics.Kept(str(tmp_path), 0))

        async def served(scope: Any, receive: Any, send: Any) -> None:
            await app(scope | {"state": {}}, receive, send)

        transport = httpx.ASGITransport(app=served)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            shown = page.render(DOCUMENT, needs_token=False).decode()
            routes = {name: route for route, name in OPERATIONS.items()}
            for name, command in zip(routes_of(shown), commands(shown), strict=True):
                called.clear()
                method, path, body = command
                answer = await client.request(method, path, json=body)
                assert answer.status_code in (200, 503), (command, answer.text)
                found[routes[name]] = called[-1] if called else None
        return found

    monkeypatch.setattr(Database, "rows", rows)
    return asyncio.run(asked())


def test_an_operation_is_called_as_its_verb(verbs: dict[str, str | None]) -> None:
    assert verbs.keys() == OPERATIONS.keys()
    differing = {route for route, name in OPERATIONS.items() if verbs[route] != name}
    assert differing == PROBES.keys()


def test_no_two_operations_have_one_name() -> None:
    assert len(set(OPERATIONS.values())) == len(OPERATIONS)


def methods(kind: type) -> Iterator[str]:
    public = (name for name in vars(kind) if not name.startswith("_"))
    return (name for name in public if inspect.isfunction(getattr(kind, name)))


def route_of(request: httpx.Request) -> str:
    """The one route of a request; a word in a path is itself rather than any name."""
    path = request.url.raw_path.decode().partition("?")[0]
    fitting = [
        route
        for route in OPERATIONS
        if re.fullmatch(re.sub(r"{\w+}", "[^/]+", route), f"{request.method} {path}")
    ]
    return min(fitting, key=lambda route: route.count("{"))


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The routes that clients ask, which all answer that there is no such thing."""
    routes: list[str] = []
    error = {"code": "SESSION_NOT_FOUND", "message": "There is none.", "details": None}

    def refused(_: object, request: httpx.Request) -> httpx.Response:
        routes.append(route_of(request))
        return httpx.Response(404, json={"error": error})

    async def awaited(_: object, request: httpx.Request) -> httpx.Response:
        return refused(_, request)

    monkeypatch.setattr(httpx.HTTPTransport, "handle_request", refused)
    monkeypatch.setattr(httpx.AsyncHTTPTransport, "handle_async_request", awaited)
    return routes


def ask(kind: type, name: str) -> None:
    """Call a method of a client with whatever it needs."""

    def arguments(method: Any) -> dict[str, Any]:
        parameters = inspect.signature(method).parameters.values()
        needed = [one.name for one in parameters if one.default is one.empty]
        return {one: ARGUMENTS.get(one, "x") for one in needed}

    async def wait() -> None:
        async with AsyncClient("http://localhost", retries=0) as client:
            method = getattr(client, name)
            told = method(**arguments(method))
            await (anext(told) if inspect.isasyncgen(told) else told)

    with contextlib.suppress(BeliefError):
        if kind is AsyncClient:
            asyncio.run(wait())
            return
        with Client("http://localhost", retries=0) as client:
            method = getattr(client, name)
            told = method(**arguments(method))
            if inspect.isgenerator(told):
                next(told)


@pytest.mark.parametrize("kind", CLIENTS)
def test_a_method_of_a_client_is_called_as_its_operation(kind: type, sent: list[str]) -> None:
    asked = {}
    for name in methods(kind):
        if name not in NOT_OPERATIONS:
            sent.clear()
            ask(kind, name)
            (asked[name],) = {OPERATIONS[route] for route in sent}
    assert asked == {name: name for name in asked}
    assert len(asked) > 30


def test_both_clients_have_the_same_methods() -> None:
    waits, awaits = ({*methods(kind)} - NOT_OPERATIONS.keys() for kind in CLIENTS)
    assert waits == awaits
    assert NOT_OPERATIONS.keys() <= {*methods(Client), *methods(AsyncClient)}
