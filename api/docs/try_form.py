"""How a route is called: with curl, and from a form of the documentation page."""

import json
import re
import shlex
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from cmbs.api.docs.components import Object, example_of
from cmbs.api.docs.markup import Markup, as_json, tag

# An example, for which the script puts the address of the page.
_ORIGIN = "http://localhost:8000"


class Route(NamedTuple):
    path: str
    method: str
    operation: Object


def anchor(operation: Object) -> str:
    """The name of a route in the address of the page."""
    return quote(operation["operationId"], safe="")


def curl(route: Route, samples: dict[str, str], with_token: bool) -> Markup:
    parts = samples | _examples(route, "path")
    path = re.sub(r"{(\w+)}", lambda at: quote(str(parts.get(at[1], "")), safe=""), route.path)
    shown = _examples(route, "query")
    if shown:
        path += f"?{urlencode(shown)}"
    start, rest = "curl ", ""
    # In double quotes, in which a shell puts the token for its name.
    shown_token = '-H "Authorization: Bearer $CMBS_TOKEN" ' if with_token else ""
    if "requestBody" in route.operation:
        ((kind, content),) = route.operation["requestBody"]["content"].items()
        header = shlex.quote(f"Content-Type: {kind}")
        body = shlex.quote(json.dumps(example_of(content), ensure_ascii=False))
        # Not --json, which is younger than many a curl.
        rest = f" \\\n  -H {header} \\\n  -d {body}"
    if route.method != ("POST" if rest else "GET"):
        start = f"curl -X {route.method} "
    start += shown_token
    before, after = shlex.quote(_ORIGIN + path).split(_ORIGIN)
    origin = tag("span", _ORIGIN, class_="origin")
    command = tag("code", start + before, origin, after + rest)
    return tag("div", tag("h4", "With curl"), tag("pre", command), class_="curl")


def _examples(route: Route, where: str) -> dict[str, Any]:
    return {
        parameter["name"]: parameter["example"]
        for parameter in route.operation.get("parameters", ())
        if parameter["in"] == where and "example" in parameter
    }


def form(route: Route, samples: dict[str, str]) -> Markup:
    """What the script shows and sends."""
    name, success = anchor(route.operation), next(iter(route.operation["responses"].values()))
    parameters = [*route.operation.get("parameters", ())]
    if len(kinds := [*success.get("content", ())]) > 1:
        parameters.append({"name": "Accept", "in": "header", "schema": {"enum": kinds}})
    fields = [_field(name, parameter, samples) for parameter in parameters]
    for content in route.operation.get("requestBody", {}).get("content", {}).values():
        # Without it a new session gets an id that is free; elsewhere the path names it.
        example = {key: of for key, of in example_of(content).items() if key != "session_id"}
        text, label = as_json(example), f"try-{name}-body"
        body = tag("textarea", text, id=label, rows=str(text.count("\n") + 2), spellcheck="false")
        fields.append(tag("p", tag("label", "Body", for_=label), body, class_="wide"))
    return tag(
        "div",
        tag("h4", "Try it"),
        tag(
            "form",
            *fields,
            tag("p", tag("button", "Send", type="submit"), class_="wide"),
            data_method=route.method,
            data_path=route.path,
            aria_label=f"Try {route.operation['operationId']}",
        ),
        tag("p", role="status"),
        tag("pre", hidden=True),
        class_="try",
        hidden=True,
    )


def _field(route: str, parameter: Object, samples: dict[str, str]) -> Markup:
    name, where, schema = parameter["name"], parameter["in"], parameter["schema"]
    label = f"try-{route}-{where}-{name}"
    shared = {"id": label, "name": name, "data_in": where}
    choices = schema.get("enum", ["", "true", "false"] if schema.get("type") == "boolean" else [])
    if choices:
        field = tag("select", *(tag("option", choice) for choice in choices), **shared)
    else:
        sample = parameter.get("example", samples.get(name, "")) if where == "path" else ""
        field = tag(
            "input",
            **shared,
            type="number" if schema.get("type") == "integer" else "text",
            min=str(schema.get("minimum", "")) or False,
            max=str(schema.get("maximum", "")) or False,
            required=parameter.get("required", False),
            placeholder=str(sample) or False,
            autocomplete="off",
            spellcheck="false",
        )
    return tag("p", tag("label", name, " ", tag("small", where), for_=label), field)


def sampled(document: Object) -> dict[str, str]:
    """For each member the first value that an example has, to stand for a parameter."""
    found: dict[str, str] = {}

    def collect(value: object) -> None:
        if isinstance(value, list):
            for item in value:
                collect(item)
        elif isinstance(value, dict):
            for name, member in value.items():
                if isinstance(member, str):
                    found.setdefault(name, member)
                collect(member)

    for methods in document["paths"].values():
        for told in methods.values():
            # What is refused is often of something that is not there.
            answers = {at: of for at, of in told["responses"].items() if int(at) < 400}
            collect(told | {"responses": answers})
    return found
