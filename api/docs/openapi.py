"""The OpenAPI document, read off the routes: what each takes, gives and refuses."""

import pkgutil
import re
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
from litestar.handlers import HTTPRouteHandler
from msgspec import Struct

from cmbs import __version__
from cmbs.api import rooms
from cmbs.api.docs import examples
from cmbs.api.docs.components import Components
from cmbs.api.docs.openapi_yaml import as_yaml
from cmbs.api.docs.parameters import PARAMETERS
from cmbs.api.rooms.belief.answers import Snapshot
from cmbs.api.rooms.belief.requests import Declare
from cmbs.api.rooms.capability.requests import IssueToken
from cmbs.api.rooms.claim.requests import ConfirmClaim, PromoteClaim, RecordClaim
from cmbs.api.rooms.gates.requests import (
    DeclareConclusion,
    EnterObligation,
    RequestExit,
    RequestTermination,
    WaiveObligation,
)
from cmbs.api.rooms.interrupt.requests import ResolveInterrupt
from cmbs.api.rooms.log.answers import Trace
from cmbs.api.rooms.lookback.answers import Explained
from cmbs.api.rooms.operations.answers import Alive, Ready
from cmbs.api.rooms.permit.requests import BeginExecution, CompleteExecution
from cmbs.api.rooms.rollout.requests import ApplyPolicy, SetMode
from cmbs.api.rooms.verdict.requests import Propose, Resume
from cmbs.api.shell import answer_shapes, request_shapes
from cmbs.api.shell.body_decoding import is_needed
from cmbs.errors import RAISED, SERVER_STATES, SHELL_STATUS

_ABOUT = """
Belief as an explicit, audited state: a session starts from a set of hypotheses, evidence only
eliminates, and every step is one event of a hash-chained log.

* A message has an identity: `source_id` with `observation_id`, or the header `Idempotency-Key`.
  A message that is sent again changes nothing. It gets the recorded answer, with `duplicate: true`.
* A refusal by policy (`approved: false`, `accepted: false`) is an answer with status 200.
* An error changes nothing. Its body is `{"error": {"code", "message", "details"}}`.
* Answers that hold a snapshot carry its head as `ETag`; `If-Match` makes a message depend on it.
* Every request shows a token, `Authorization: Bearer cmbs_…`, unless the server needs none.
""".strip()

# Where programs expect it.
COMMITTED = Path(__file__).parents[1] / "openapi.yaml"
_JSON = "application/json"
_SNAPSHOT = {"$ref": "#/components/schemas/Snapshot"}
# What is preferred decides which.
_SNAPSHOT_OR_HEAD = {"anyOf": [_SNAPSHOT, {"$ref": "#/components/schemas/Head"}]}
# What any route may answer.
_ALWAYS = (
    *("INVALID_REQUEST", "UNAUTHENTICATED", "FORBIDDEN"),
    *("RATE_LIMITED", "UNAVAILABLE", "INTERNAL"),
)
# Without a token, and the first without a database.
_OPEN = {
    Alive: {"UNAUTHENTICATED", "RATE_LIMITED", "UNAVAILABLE"},
    Ready: {"UNAUTHENTICATED"},
}
# Where the shapes of bodies and answers are.
MODULES = (
    *(request_shapes, answer_shapes),
    *(
        import_module(found.name)
        for found in pkgutil.walk_packages(rooms.__path__, f"{rooms.__name__}.")
        if found.name.endswith((".requests", ".answers"))
    ),
)
# What a caller may have already, as its head tells.
_KNOWABLE = (Snapshot, Explained)
# What sessions are told as it was sent.
_AS_SENT = (Propose, IssueToken, RecordClaim, PromoteClaim)
# What may depend on a head, and what has its identity in a header: others have it in themselves.
_AT_A_HEAD = (request_shapes.Message, Declare, *_AS_SENT)
_WITH_REQUEST_ID = (
    *(EnterObligation, RequestExit, WaiveObligation, DeclareConclusion, RequestTermination),
    *(ApplyPolicy, SetMode, ConfirmClaim, Resume, *_AS_SENT),
    *(BeginExecution, CompleteExecution, ResolveInterrupt),
)
_WITH_BODY = ("PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE")
_HEADER_OF = {
    "UNAUTHENTICATED": "WWW-Authenticate",
    "RATE_LIMITED": "Retry-After",
    "UNAVAILABLE": "Retry-After",
}


def document(routes: Iterable[HTTPRouteHandler]) -> dict[str, Any]:
    paths: dict[str, Any] = {}
    components = Components()
    for route in routes:
        (template,) = route.paths
        path = re.sub(r":str}", "}", template)
        (method,) = (name for name in route.http_methods if name != "OPTIONS")
        operation = _operation(route, method, path, components)
        paths.setdefault(path, {})[method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "CMBS",
            "version": __version__,
            "summary": "A belief server whose kernel is PostgreSQL",
            "description": _ABOUT,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": _schemas(),
            **components.in_order(),
        },
    }


def _operation(
    route: HTTPRouteHandler, method: str, path: str, components: Components
) -> dict[str, Any]:
    takes, gives = route.opt.get("takes"), route.opt["gives"]
    summary = (route.fn.__doc__ or "").rstrip(".")
    operation: dict[str, Any] = {
        "operationId": route.fn.__name__,
        "summary": summary,
        "description": _description(route, method),
        "parameters": [*_parameters(route, path, components)],
        "responses": dict(
            sorted((_successes(route, components) | _refusals(route, components)).items())
        ),
    }
    if takes:
        example = examples.REQUESTS[takes.__name__]
        operation["requestBody"] = {
            "required": is_needed(takes),
            "content": {_JSON: _content(takes, example, components)},
        }
    if gives in _OPEN:
        operation["security"] = []
    if not operation["parameters"]:
        del operation["parameters"]
    assert gives
    return operation


def _description(route: HTTPRouteHandler, method: str) -> str:
    """What else is to be known of a route, and what it leaves in the log of a session."""
    if verb := route.opt.get("verb"):
        leaves = f"This is the verb {verb}."
    elif method == "GET":
        leaves = "It only reads."
    else:
        leaves = "It records no event of a session."
    return " ".join(filter(None, (route.opt.get("says"), leaves)))


def _parameters(
    route: HTTPRouteHandler, path: str, components: Components
) -> Iterable[dict[str, Any]]:
    def shared(place: str, name: str, meant: str, kind: str = "", **more: Any) -> dict[str, Any]:
        parameter = {"name": name, "in": place, **PARAMETERS[meant], **more}
        return components.refer("parameters", f"{place}_{meant}{kind}", parameter)

    for name in re.findall(r"{(\w+)}", path):
        yield shared("path", name, name, required=True)
    for name in route.opt.get("query", ()):
        meant = route.opt.get("means", {}).get(name, name)
        if name == "limit":
            longest = route.opt["longest"]
            schema = PARAMETERS[meant]["schema"] | {"maximum": longest}
            yield shared("query", name, meant, f"_{longest}", schema=schema)
        elif name in route.opt.get("needs", ()):
            yield shared("query", name, meant, "_needed", required=True)
        else:
            yield shared("query", name, meant)
    for name in _headers(route):
        yield shared("header", name, name)


def _headers(route: HTTPRouteHandler) -> Iterable[str]:
    takes, gives = route.opt.get("takes"), route.opt["gives"]
    if takes and issubclass(takes, _AT_A_HEAD):
        yield "If-Match"
    if takes in _WITH_REQUEST_ID:
        yield "Idempotency-Key"
    yield from route.opt.get("headers", ())
    if _has_head(gives) and gives is not Explained:
        yield "Prefer"
    if gives in _KNOWABLE:
        yield "If-None-Match"


def _has_head(gives: type[Struct]) -> bool:
    return gives is Snapshot or "snapshot" in gives.__struct_fields__


def _successes(route: HTTPRouteHandler, components: Components) -> dict[str, Any]:
    gives, found = route.opt["gives"], {}
    success: dict[str, Any] = {"description": "What was asked for."}
    if kind := route.opt.get("text"):
        success["content"] = {kind: _text({"type": "string"}, "Metrics", examples.METRICS)}
    else:
        example = examples.ANSWERS[gives.__name__]
        success["content"] = {_JSON: _content(gives, example, components)}
    if _has_head(gives):
        success["headers"] = components.header("ETag")
    if gives is Trace:
        schema = {"type": "string", "description": "A Line of JSON for each event."}
        lines = _text(schema, "Lines", examples.LINES)
        success["content"]["application/x-ndjson"] = lines
    makes_always = route.opt.get("status") == 201
    if makes_always or route.opt.get("creates"):
        created = {**success, "description": "It is new."}
        created["headers"] = success.get("headers", {}) | components.header("Location")
        found["201"] = created
        success["description"] = route.opt.get("otherwise", "It was known already.")
    if not makes_always:
        found["200"] = success
    if gives in _KNOWABLE:
        found["304"] = {"description": "The session still has the head of If-None-Match."}
    return found


def _refusals(route: HTTPRouteHandler, components: Components) -> dict[str, Any]:
    with_body = _WITH_BODY if route.opt.get("takes") else ()
    without = _OPEN.get(route.opt["gives"], ())
    always = [code for code in _ALWAYS if code not in without]
    found: dict[str, list[str]] = {}
    for told in (*always, *with_body, *route.opt.get("errors", ())):
        found.setdefault(code_and_status(told)[1], []).append(told)
    return {
        status: components.refer(
            "responses", "_or_".join(map(_name, errors)), _refusal(errors, components)
        )
        for status, errors in found.items()
    }


def _refusal(errors: list[str], components: Components) -> dict[str, Any]:
    shown = {}
    refusal: dict[str, Any] = {}
    for told in errors:
        code, _ = code_and_status(told)
        shown[code] = components.example(_name(told), examples.ERRORS[told])
        if header := _HEADER_OF.get(code):
            refusal["headers"] = components.header(header)
    schema = {"$ref": "#/components/schemas/Failure"}
    refusal["content"] = {_JSON: {"schema": schema, "examples": shown}}
    return {"description": ", ".join(shown), **refusal}


def _content(shape: type[Struct], example: object, components: Components) -> dict[str, Any]:
    name = shape.__name__
    schema = {"$ref": f"#/components/schemas/{name}"}
    return {
        "schema": _SNAPSHOT_OR_HEAD if schema == _SNAPSHOT else schema,
        "examples": {name: components.example(name, example)},
    }


def _text(schema: dict[str, str], name: str, example: str) -> dict[str, Any]:
    return {"schema": schema, "examples": {name: {"value": example}}}


def code_and_status(told: str) -> tuple[str, str]:
    """Of an error as routes name it: `CODE`, `CODE as 404`, `CODE of a space`."""
    code, _, more = told.partition(" ")
    return code, more.removeprefix("as ") if more.startswith("as ") else str(STATUS[code])


def _name(told: str) -> str:
    """What such an error is called among the components."""
    return told.replace(" ", "_")


def _statuses() -> dict[str, int]:
    of_verbs = {kind.api_code: kind.status for kind in reversed(RAISED)}
    return dict(SERVER_STATES.values()) | SHELL_STATUS | of_verbs


STATUS = _statuses()


def _schemas() -> dict[str, Any]:
    shapes = [
        shape
        for module in MODULES
        for shape in vars(module).values()
        if isinstance(shape, type)
        and issubclass(shape, Struct)
        and shape.__module__ == module.__name__
    ]
    hidden = {
        *(request_shapes.Message, request_shapes.AsSent),
        *(answer_shapes.Exact, answer_shapes.Recorded),
    }
    template = "#/components/schemas/{name}"
    _, schemas = msgspec.json.schema_components(
        [shape for shape in shapes if shape not in hidden], ref_template=template
    )
    for schema in schemas.values():
        if schema.get("properties", {}).get("snapshot") == _SNAPSHOT:
            schema["properties"]["snapshot"] = _SNAPSHOT_OR_HEAD
    return dict(sorted(schemas.items()))


def as_json(document: dict[str, Any]) -> bytes:
    return msgspec.json.encode(document)


def main() -> None:
    """Write the committed document anew: `python -m cmbs.api.docs.openapi`."""
    from cmbs.api.routes import ROUTES

    COMMITTED.write_bytes(as_yaml(document(ROUTES)))


if __name__ == "__main__":
    main()
