"""The document that describes the API: what is served is what is committed and what is true."""

import re
from typing import Any

import msgspec
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from cmbs.api.docs import examples, openapi
from cmbs.api.docs.components import Components, example_of, inlined, resolved
from cmbs.api.docs.openapi_yaml import as_yaml
from cmbs.api.rooms.log import answers
from cmbs.api.rooms.operations import metrics
from cmbs.api.routes import ROUTES
from cmbs.api.shell import body_decoding
from cmbs.api.shell.answer_shapes import Failure
from cmbs.errors import RAISED, SHELL_STATUS
from tests.http.test_errors import BODIES
from tests.http.test_routes import METHODS
from tests.support.web import Client

DOCUMENT: dict[str, Any] = openapi.document(ROUTES)
COMMITTED = openapi.COMMITTED
# Written in full, as who follows its references reads it.
PATHS = inlined(DOCUMENT)["paths"]
OPERATIONS = [
    (path, method, told) for path, methods in PATHS.items() for method, told in methods.items()
]
IDS = [f"{method} {path}" for path, method, _ in OPERATIONS]
NAMED = "audit|hypotheses|obligations|principals|tokens|proposals|claims|policies|tools|schemas"
NAMED += "|permits|interrupts"


def shape_of(content: dict[str, Any]) -> Any:
    """The shape of a body or an answer."""
    schema = content["schema"]
    # What is preferred decides between a snapshot and its head.
    schema = schema.get("anyOf", [schema])[0]
    name = schema["$ref"].rpartition("/")[2]
    found = [vars(module).get(name) for module in openapi.MODULES]
    return next(shape for shape in found if shape)


def references(node: Any) -> set[str]:
    if isinstance(node, dict):
        own = {node["$ref"]} if isinstance(node.get("$ref"), str) else set()
        return own.union(*map(references, node.values()))
    return set().union(*map(references, node)) if isinstance(node, list) else set()


def test_the_committed_document_is_that_of_the_code() -> None:
    assert COMMITTED.read_bytes() == as_yaml(DOCUMENT), "run python -m cmbs.api.docs.openapi"


def test_the_committed_document_says_a_thing_once() -> None:
    assert len(COMMITTED.read_text().splitlines()) <= 6_000


def test_the_served_documents_are_the_same(client: Client) -> None:
    json, text = (client.get(f"/schema/openapi.{kind}") for kind in ("json", "yaml"))
    assert json.headers["content-type"] == "application/json"
    assert text.headers["content-type"].startswith("application/yaml")
    assert json.json() == yaml.safe_load(text.content) == DOCUMENT
    assert text.content == COMMITTED.read_bytes()
    assert DOCUMENT["openapi"].startswith("3.1.")


def test_every_reference_leads_somewhere() -> None:
    assert all(resolved(DOCUMENT, {"$ref": reference}) for reference in references(DOCUMENT))


def test_what_is_shared_is_meant_by_some_operation() -> None:
    meant = references(DOCUMENT)
    shared = {kind: of for kind, of in DOCUMENT["components"].items() if kind != "securitySchemes"}
    named = {f"#/components/{kind}/{name}" for kind, of in shared.items() for name in of}
    assert {name for name in named - meant if "/schemas/" not in name} == set()
    assert not {node for node in references(PATHS) if "/schemas/" not in node}


def test_two_things_cannot_share_a_name() -> None:
    components = Components()
    assert components.example("a", 1) == components.example("a", 1)
    with pytest.raises(AssertionError, match="examples/a"):
        components.example("a", 2)


def test_what_an_example_holds_is_no_reference() -> None:
    shared = {"examples": {"a": {"value": {"$ref": "#/nowhere"}}}}
    content = {"examples": {"a": {"$ref": "#/components/examples/a"}}}
    document = {"components": shared, "paths": {"/": content}}
    assert example_of(inlined(document)["paths"]["/"]) == {"$ref": "#/nowhere"}


def test_every_route_of_the_application_is_described() -> None:
    served = {
        re.sub("0{8}-[0-9-]+", "{}", path).replace("/s/versions/v", "/{}/versions/{}"): methods
        for path, methods in METHODS.items()
        if not path.startswith("/schema")
    }
    served = {
        re.sub(f"({NAMED})/[xnt](?=/|$)", r"\1/{}", path).replace("/versions/v", "/versions/{}"): (
            methods - {"HEAD"}
        )
        for path, methods in served.items()
    }
    told = {
        re.sub("{.*?}", "{}", path): {method.upper() for method in methods}
        for path, methods in PATHS.items()
    }
    assert told == served


@pytest.mark.parametrize(("path", "method", "told"), OPERATIONS, ids=IDS)
def test_an_operation_tells_its_request_and_its_answers_with_examples(
    path: str, method: str, told: dict[str, Any]
) -> None:
    assert told["summary"]
    named = {one["name"] for one in told.get("parameters", []) if one["in"] == "path"}
    assert named == set(re.findall("{(.*?)}", path))
    if method in ("post", "put", "patch"):
        content = told["requestBody"]["content"]["application/json"]
        body_decoding.decode(shape_of(content), msgspec.json.encode(example_of(content)))
    for status, answer in told["responses"].items():
        assert answer["description"]
        if status == "304":
            assert "content" not in answer
            continue
        if (path, status) == ("/metrics", "200"):
            assert answer["content"].keys() == {metrics.KIND}
            continue
        content = answer["content"]["application/json"]
        if status < "400":
            msgspec.convert(example_of(content), type=shape_of(content))
            continue
        for code, example in content["examples"].items():
            assert answer["description"].split(", ").count(code) == 1
            value = example["value"]
            msgspec.convert(value, type=Failure)
            assert value["error"]["code"] == code


@pytest.mark.parametrize(("path", "method", "told"), OPERATIONS, ids=IDS)
def test_an_error_is_described_under_its_status(
    path: str, method: str, told: dict[str, Any]
) -> None:
    known = SHELL_STATUS | {"UNAVAILABLE": 503}
    of_verbs = {(kind.api_code, kind.status) for kind in RAISED}
    of_verbs |= {("INVALID_HYPOTHESIS_ID", 404)}
    for status, answer in told["responses"].items():
        if status >= "400":
            for code in answer["content"]["application/json"]["examples"]:
                assert known.get(code) == int(status) or (code, int(status)) in of_verbs
    if path == "/healthz":
        assert told["responses"].keys() == {"200", "400", "403", "500"}, "the database is not asked"
        return
    expected = {"400", "403", "429", "500", "503"}
    expected |= {"401"} if path != "/readyz" else set()
    expected |= {"413", "415"} if method not in ("get", "delete") else set()
    assert expected <= told["responses"].keys()
    for status in ("429", "503"):
        assert "Retry-After" in told["responses"][status]["headers"]


def test_a_log_of_lines_has_an_example_that_is_one() -> None:
    answer = PATHS["/v1/sessions/{session_id}/audit"]["get"]["responses"]["200"]
    example = example_of(answer["content"]["application/x-ndjson"])
    assert example == examples.LINES
    for line in example.splitlines():
        msgspec.json.decode(line, type=answers.Line, strict=True)


def test_metrics_have_an_example_that_is_one() -> None:
    answer = PATHS["/metrics"]["get"]["responses"]["200"]
    example = example_of(answer["content"][metrics.KIND])
    assert example == examples.METRICS
    found = {family.name: family for family in text_string_to_metric_families(example)}
    assert found["cmbs_tee_mirror_configured"].samples[0].value == 1
    assert len(found["cmbs_sessions"].samples) == 3


def test_headers_that_are_read_are_described() -> None:
    def named(path: str, method: str) -> set[str]:
        parameters = PATHS[path][method].get("parameters", [])
        return {one["name"] for one in parameters if one["in"] == "header"}

    session = "/v1/sessions/{session_id}"
    assert named(session, "get") == {"Prefer", "If-None-Match"}
    assert named("/v1/sessions", "post") == {"Prefer", "If-Match"}
    for path in BODIES:
        if path.startswith("/v1"):
            continue
        key = set() if "eliminate" in path else {"Idempotency-Key"}
        path = session + path.replace("/o/", "/{obligation_id}/")
        assert named(path, "post") == {"Prefer", "If-Match"} | key


def test_bodies_of_the_tests_fit_the_documentation() -> None:
    for name, example in examples.REQUESTS.items():
        content = {"schema": {"$ref": name}}
        assert body_decoding.decode(shape_of(content), msgspec.json.encode(example))
    shapes = {route.opt["takes"].__name__ for route in ROUTES if route.opt.get("takes")}
    assert shapes == set(examples.REQUESTS)
