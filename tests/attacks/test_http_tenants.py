"""Two tenants over HTTP: every route, with ids of the other, answers as if there were none."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest

from cmbs.api.shell.admission import Terms
from tests.attacks.land import Land, shape, without
from tests.attacks.test_http_injection import ALL, Route
from tests.attacks.towns import MARKS, MEMBERS, owned
from tests.support.web import Client, bearer, serving

ALIASES = {"from": "from_event_id", "to": "to_event_id", "If-Match": "expected_head"}
ALIASES |= {"X-Capability-Token": "capability_token"}
NAMELESS = {"limit", "terminated", "Prefer", "If-None-Match", "since_seq", "Idempotency-Key"}
NAMELESS |= {"before", "decision", "history", "include", "status", "wait", "resume_id"}
# What a query has to name anyway.
NEEDED = {"from", "to", "pack"}
# Members of bodies that name something, where the rest of the body is what the documents show.
IN_BODIES = {"session_id", "tenant", "scope_tenant", "ontology"}
_SESSION = "/v1/sessions/{session_id}"
# Bodies that are of alpha's own, but for one name: the document, or that with the members told.
DOCUMENTS: dict[str, tuple[str, dict[str, Any]]] = {
    f"post {_SESSION}/proposals": ("proposal", {"mode": "dry_run"}),
    f"post {_SESSION}/proposals/{{proposal_id}}/resume": ("items", {}),
    f"post {_SESSION}/capability-tokens": ("grant", {}),
    f"post {_SESSION}/claims": ("claim", {}),
    f"post {_SESSION}/claims/{{claim_id}}/promote": ("evidence", {}),
    f"post {_SESSION}/arbitration": ("arbitration", {}),
    "put /v1/tools/{tool_id}": ("definition", {}),
    "put /v1/schemas/{schema_id}": ("document", {}),
}
WRAPPED = {
    "post /v1/sessions": "arbitration",
    "post /v1/policies/{pack}/versions": "entries",
    "post /v1/policies/lint": "entries",
    "post /v1/policies/{pack}/versions/{version}/test": "fixtures",
}
# Names that would become a part of what is alpha's, so that it would show them for ever: the tests
# of the verbs try them in transactions that are rolled back.
KEPT = {
    ("post /v1/policies/{pack}/versions", "pack"),
    ("post /v1/policies/{pack}/versions", "entries.tool_id"),
    ("post /v1/policies/{pack}/versions", "entries.authority"),
    (f"post {_SESSION}/claims/{{key}}/confirm", "key"),
    *((f"post {_SESSION}/capability-tokens", f"grant.{name}")
      for name in ("holder", "tool_id", "authority", "root")),
    *((f"post {_SESSION}/claims", f"claim.{name}") for name in ("key", "claimed", "chunk")),
    (f"post {_SESSION}/claims/{{claim_id}}/promote", "evidence.chunk"),
    ("put /v1/tools/{tool_id}", "definition.authority"),
    ("put /v1/schemas/{schema_id}", "document.property"),
}  # fmt: skip


@pytest.fixture(scope="module")
def web(land: Land) -> Iterator[Client]:
    terms = Terms(needs_token=True, is_local=True, rate=0)
    headers = bearer(land.alpha.tokens["every"])
    with (
        serving(land.admin.info.dsn, terms=terms) as address,
        Client(base_url=address, headers=headers, timeout=60) as client,
    ):
        yield client


SHOW_NO_NAME = {"/healthz", "/readyz", "/v1/identities/verify", f"{_SESSION}/verify"}
# What is of no tenant, and only for who sees them all.
OF_OPERATORS = {"/metrics"}
# Of no events there is no difference.
SHOW_NO_NAME |= {f"{_SESSION}/diff"}


# Where the same name means something else, and what the verb is called there.
VERBS = {
    "capability-tokens": "revoke_capability",
    "/complete": "complete_execution",
    "/resume": "resume",
    "/v1/interrupts": "list_inbox",
}


def value(land: Land, route: Route, name: str, place: str) -> str:
    argument = ALIASES.get(name, name)
    if (name, route.path.startswith("/v1/policies")) == ("to", True):
        argument = "to_version"
    verb = "list_tokens" if route.path == "/v1/tokens" else "list_principals"
    for part, of in VERBS.items():
        if part in route.path:
            verb = of
    return str(land.value(verb, argument, place))


def body_of(land: Land, route: Route, foreign: str, place: str) -> Any:
    """What is sent: as documented, or alpha's own with one member that is of elsewhere."""
    body = route.body
    document, more = DOCUMENTS.get(route.name, (WRAPPED.get(route.name), {}))
    if document is None or (document == "arbitration" and not foreign.startswith(document)
                            and route.name in WRAPPED):  # fmt: skip
        return body
    argument = foreign if foreign.startswith(f"{document}.") else document
    own = land.value("", argument, place if argument == foreign else "alpha").obj
    return {**body, document: own} if route.name in WRAPPED else own | more


def ask(
    land: Land, client: Client, route: Route, foreign: str, place: str
) -> tuple[int, str, set[str]]:
    """The answer to a request of alpha's own, but for one name that is of elsewhere."""
    path, query, headers, sent = route.path, {}, {}, {}
    for name, where in route.parameters:
        if name in NAMELESS or (where != "path" and name != foreign and name not in NEEDED):
            continue
        told = value(land, route, name, place if name == foreign else "alpha")
        sent[name] = told
        if where == "path":
            path = path.replace("{" + name + "}", quote(told, safe=""))
        elif where == "query":
            query[name] = told
        else:
            headers[name] = f'"{told}"' if name == "If-Match" else told
    if route.path.endswith("whatif") and not foreign.startswith("without"):
        query["without_source"] = value(land, route, "without_source", "alpha")
    body = body_of(land, route, foreign, place)
    if "." in foreign:
        sent["body"] = body
        if foreign.endswith(".version"):
            sent["version"] = land.value("", "version", place)
    if foreign in IN_BODIES - query.keys() and body is not None and route.name not in DOCUMENTS:
        found = land.value("", foreign, place)
        body = {**body, foreign: getattr(found, "obj", str(found))}
        body = {
            name: one for name, one in body.items() if (foreign, name) != ("ontology", "hypotheses")
        }
        sent[foreign] = found
    more = {} if body is None else {"json": body}
    answer = client.request(route.method, path, params=query, headers=headers, **more)
    known = {name.lower() for name in answer.headers}
    # What is recorded at alpha's own is one more event each time.
    text = re.sub(r'"audit_seq": ?\d+', "N", without(answer.text, sent))
    return answer.status_code, text, known


def cases() -> Iterator[Any]:
    """Every name of every route; what would make something of one's own is not asked for twice."""
    for route in ALL:
        makes = route.method in ("put", "patch", "delete") or route.method == "post"
        for name, where in route.parameters:
            own_path = any(place == "path" for _, place in route.parameters)
            if name in NAMELESS or (makes and where == "path" and not own_path):
                continue
            # A space under any name, and an obligation that is not the active one, are one's own.
            if (route.method == "put" and name != "tenant") or (route.name, name) in KEPT:
                continue
            yield pytest.param(route, name, id=f"{route.name} {name}")
        document = DOCUMENTS.get(route.name, (WRAPPED.get(route.name),))[0]
        for member in MEMBERS.get(document or "", ()):
            name = f"{document}.{member}"
            if (route.name, name) not in KEPT:
                yield pytest.param(route, name, id=f"{route.name} body {name}")
        if route.path in ("/v1/sessions", "/v1/principals") and route.method == "post":
            for name in IN_BODIES:
                if name in ("tenant", "ontology") and (name == "tenant") == (
                    "principals" in route.path
                ):
                    yield pytest.param(route, name, id=f"{route.name} body {name}")
        if route.path.endswith("{name}/tokens"):
            yield pytest.param(route, "scope_tenant", id=f"{route.name} body scope_tenant")


@pytest.mark.parametrize(("route", "name"), list(cases()))
def test_every_route(land: Land, web: Client, route: Route, name: str) -> None:
    before = owned(land.admin, "beta")
    status, text, headers = ask(land, web, route, name, "beta")
    assert MARKS["beta"] not in text
    assert owned(land.admin, "beta") == before
    other = ask(land, web, route, name, "nowhere")
    assert (status, shape(text), headers) == (other[0], shape(other[1]), other[2])


def test_a_declare_shows_that_an_id_is_taken_and_nothing_more(land: Land, web: Client) -> None:
    (route,) = (one for one in ALL if one.name == "post /v1/sessions")
    before = owned(land.admin, "beta")
    body = {**route.body, "session_id": str(land.beta.values["session_id"])}
    answer = web.post(route.path, json=body)
    assert answer.status_code == 409
    assert answer.json()["error"]["details"] == {"session_id": body["session_id"]}
    assert "etag" not in answer.headers
    assert owned(land.admin, "beta") == before


@pytest.mark.parametrize("route", [one for one in ALL if one.method == "get"], ids=lambda r: r.name)
def test_every_list_is_of_ones_own(land: Land, web: Client, route: Route) -> None:
    """All pages of all there is, one row at a time."""
    path = route.path
    query: dict[str, Any] = {}
    for name, where in route.parameters:
        told = value(land, route, name, "alpha") if where == "path" or name in NEEDED else ""
        if where == "path":
            path = path.replace("{" + name + "}", quote(told, safe=""))
        elif name in NEEDED:
            query[name] = told
    limited = "limit" in [name for name, _ in route.parameters]
    query |= {"limit": 1} if limited else {}
    if route.path.endswith("whatif"):
        query |= {"without_source": MARKS["alpha"]}
    shown = False
    if route.path in OF_OPERATORS:
        assert web.get(path).json()["error"]["code"] == "FORBIDDEN"
        return
    for _ in range(100):
        answer = web.get(path, params=query)
        assert answer.status_code == 200, answer.text
        assert MARKS["beta"] not in answer.text
        ids = ("session_id", "event_id", "token_id", "claim_id", "proposal_id", "parent_id")
        for name in (*ids, "permit_id", "interrupt_id"):
            assert str(land.beta.values[name]) not in answer.text, name
        shown = shown or MARKS["alpha"] in answer.text
        after = next_page(answer.json())
        if after is None:
            assert shown or route.path in SHOW_NO_NAME
            return
        query |= after
    raise AssertionError("there is no end of pages")


def next_page(answer: dict[str, Any]) -> dict[str, Any] | None:
    for name, told in answer.items():
        if name.startswith("next_") and told is not None:
            return {name.removeprefix("next_"): told}
    return None
