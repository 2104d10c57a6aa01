"""The documentation page: the OpenAPI document for people, without anything from elsewhere.

Rendered once. What it looks like and what it can do are in page.css and page.js of api/;
they are part of the page, and its policy knows them by their digests.
"""

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

from cmbs.api.docs import markup
from cmbs.api.docs.components import Object, example_of, inlined, resolved
from cmbs.api.docs.markup import Markup, as_json, inline, markdown, row, table, tag
from cmbs.api.docs.try_form import Route, anchor, curl, form, sampled


def _asset(name: str) -> tuple[str, str]:
    """A file of this page, and how the policy names it."""
    text = Path(__file__).parents[1].joinpath(name).read_text(encoding="utf-8")
    return text, f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


(_CSS, _CSS_DIGEST), (_JS, _JS_DIGEST) = _asset("page.css"), _asset("page.js")
_POLICY = (
    "default-src 'none'",
    f"style-src {_CSS_DIGEST}",
    f"script-src {_JS_DIGEST}",
    "connect-src 'self'",
    # For the empty icon, or browsers would ask for one that is not there.
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
)
HEADERS = [(b"content-security-policy", "; ".join(_POLICY).encode())]

# A path belongs to the first group whose pattern it has in it.
_GROUPS = (
    ("Sessions", "^/v1/sessions(/{session_id})?$"),
    ("Evidence", "/eliminate"),
    ("Audit", "{session_id}/(audit|verify|hypotheses|explain|diff|whatif)"),
    ("Gates", "}/(obligations|conclusions|terminate)"),
    ("Proposals", "}/(arbitration|proposals|policy-replay|state|permitted|capability-tokens)"),
    ("Execution", "}/(permits|deferrals|mode|sweep)"),
    ("Questions", "/(interrupts|webhook)"),
    ("Claims", "}/claims"),
    ("Policies", "^/v1/(policies|tools|schemas)"),
    ("Spaces", "^/v1/hypothesis-spaces/"),
    ("Identities", "^/v1/(principals|tokens|whoami|identities)"),
    ("Operations", ""),
)
# A schema may hold itself; what is in an object in an object in the body is told, no more.
_DEEPEST = 2


def render(document: Object, *, needs_token: bool) -> bytes:
    document = inlined(document)
    info, groups = document["info"], _groups(document)
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", f"{info['title']} {info['version']}"),
        tag("link", rel="icon", href="data:,"),
        tag("style", Markup(_CSS)),
    )
    about = tag(
        "header",
        tag("h1", info["title"], " ", tag("small", info["version"])),
        tag("p", inline(info.get("summary", "")), class_="lead"),
        markdown(info.get("description", "")),
        tag(
            "p",
            "The same as a document of OpenAPI: ",
            tag("a", "openapi.json", href="/schema/openapi.json"),
            ", ",
            tag("a", "openapi.yaml", href="/schema/openapi.yaml"),
        ),
        tag(
            "p",
            tag("label", "Token ", tag("small", "for the requests of this page"), for_="token"),
            tag("input", id="token", type="text", autocomplete="off", spellcheck="false"),
            hidden=True,
        ),
        tag("noscript", tag("p", "This page needs JavaScript to search and to send requests.")),
    )
    # The script shows it.
    search = tag(
        "div",
        tag("label", "Search the routes ", tag("kbd", "/"), for_="query"),
        tag("input", id="query", type="search", autocomplete="off", spellcheck="false"),
        tag("p", id="found", role="status"),
        id="search",
        role="search",
        hidden=True,
    )
    samples = sampled(document)
    sections = (
        tag(
            "section",
            tag("h2", name, id=f"group-{name.lower()}"),
            *(_route(document, route, samples, needs_token) for route in routes),
            aria_labelledby=f"group-{name.lower()}",
        )
        for name, routes in groups.items()
    )
    body = tag(
        "body",
        tag("a", "Skip to the routes", class_="skip", href="#routes"),
        about,
        search,
        tag("nav", *_contents(groups), aria_label="Routes"),
        tag("main", *sections, id="routes", tabindex="-1"),
        tag("script", Markup(_JS)),
    )
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n".encode()


def _groups(document: Object) -> dict[str, list[Route]]:
    found: dict[str, list[Route]] = {name: [] for name, _ in _GROUPS}
    for path, methods in document["paths"].items():
        group = next(name for name, pattern in _GROUPS if re.search(pattern, path))
        found[group] += [
            Route(path, method.upper(), operation) for method, operation in methods.items()
        ]
    return {name: routes for name, routes in found.items() if routes}


def _contents(groups: dict[str, list[Route]]) -> Iterator[Markup]:
    for name, routes in groups.items():
        links = (
            tag(
                "li",
                tag("a", inline(operation["summary"]), href=f"#{anchor(operation)}"),
            )
            for _, _, operation in routes
        )
        heading = tag("p", tag("a", name, href=f"#group-{name.lower()}"))
        yield tag("div", heading, tag("ul", *links))


def _route(document: Object, route: Route, samples: dict[str, str], needs_token: bool) -> Markup:
    path, method, operation = route
    badge = tag("span", method, class_=f"method {method.lower()}")
    where = tag("span", badge, " ", tag("code", markup.path(path)), class_="where")
    link = tag("a", f"#{operation['operationId']}", href=f"#{anchor(operation)}")
    return tag(
        "details",
        tag("summary", tag("h3", inline(operation["summary"])), " ", where),
        tag("p", inline(operation.get("description", "")), " ", link),
        *_parameters(operation),
        *_request(document, operation),
        curl(route, samples, needs_token and route.operation.get("security") != []),
        form(route, samples),
        *_answers(operation),
        *_errors(operation),
        class_="route",
        id=anchor(operation),
    )


def _parameters(operation: Object) -> Iterator[Markup]:
    rows = [
        row(
            _name(parameter["name"], parameter.get("required", False)),
            f"{parameter['in']}, {_type(parameter['schema'])}",
            inline(parameter.get("description", "")),
        )
        for parameter in operation.get("parameters", ())
    ]
    if rows:
        yield tag("h4", "Parameters")
        yield table(("Name", "Where and what", "Description"), rows)


def _name(name: str, needed: bool) -> Markup:
    mark = (" ", tag("small", "needed")) if needed else ()
    return Markup(tag("code", name) + "".join(mark))


def _request(document: Object, operation: Object) -> Iterator[Markup]:
    if "requestBody" not in operation:
        return
    needed = "" if operation["requestBody"].get("required") else ", may be left out"
    for kind, content in operation["requestBody"]["content"].items():
        yield tag("h4", "Body ", tag("small", kind, needed))
        yield table(("Member", "Type", "Description"), _members(document, content["schema"]))
        yield tag("pre", _shown(example_of(content)))


def _members(document: Object, schema: Object, inside: str = "") -> Iterator[Markup]:
    """A row for each member of an object, and of the objects in it."""
    schema = resolved(document, schema)
    for name, member in schema.get("properties", {}).items():
        # What may be null may as well be left out.
        kinds = [kind for kind in member.get("anyOf", ()) if kind != {"type": "null"}]
        plain = kinds[0] if len(kinds) == 1 else member
        items = plain.get("items", {})
        descriptions = [
            part["description"] for part in (member, plain, items) if "description" in part
        ]
        path, needed = f"{inside}{name}", name in schema.get("required", ())
        yield row(_name(path, needed), _type(plain), inline(*descriptions[:1]))
        if inside.count(".") < _DEEPEST:
            yield from _members(document, items or plain, f"{path}{'[]' if items else ''}.")


def _answers(operation: Object) -> Iterator[Markup]:
    rows, examples = [], {}
    for status, answer in operation["responses"].items():
        if int(status) < 400:
            headers = "; ".join(
                f"`{name}`: {header.get('description', '')}"
                for name, header in answer.get("headers", {}).items()
            )
            rows.append(row(status, inline(answer["description"]), inline(headers)))
            for kind, content in answer.get("content", {}).items():
                examples[kind, _shown(example_of(content))] = kind
    yield tag("h4", "Answers")
    yield table(("Status", "Meaning", "Headers"), rows, "statuses")
    for (_, example), kind in examples.items():
        summary = tag("summary", "Example ", tag("small", kind))
        yield tag("details", summary, tag("pre", example), class_="example")


def _errors(operation: Object) -> Iterator[Markup]:
    rows = []
    refusals = {at: of for at, of in operation["responses"].items() if int(at) >= 400}
    for status, answer in refusals.items():
        headers = "".join(
            tag("p", tag("code", name), ": ", inline(header.get("description", "")))
            for name, header in answer.get("headers", {}).items()
        )
        for content in answer["content"].values():
            for example in content["examples"].values():
                error = example["value"]["error"]
                text = tag("p", error["message"])
                if error["details"] is not None:
                    details = json.dumps(error["details"], ensure_ascii=False)
                    text = Markup(text + tag("p", tag("code", details)))
                rows.append(row(status, tag("code", error["code"]), Markup(text + headers)))
    if rows:
        yield tag("h4", "Errors")
        yield table(
            ("Status", "Code", "Message, and details such as these"), rows, "statuses errors"
        )


def _shown(example: object) -> str:
    return example if isinstance(example, str) else as_json(example)


def _type(schema: Object) -> str:
    if "$ref" in schema:
        return "object"
    if "anyOf" in schema:
        return " or ".join(map(_type, schema["anyOf"]))
    if "enum" in schema:
        return " or ".join(json.dumps(value) for value in schema["enum"])
    kind = str(schema.get("format") or schema.get("type", "any"))
    if "items" in schema:
        kind = f"list of {_type(schema['items']).partition(',')[0]}s"
    return "".join((kind, *_limits(schema)))


def _limits(schema: Object) -> Iterator[str]:
    for end, what in (("Length", "length "), ("Items", "size "), ("imum", "")):
        least, most = schema.get(f"min{end}"), schema.get(f"max{end}")
        if least is not None and most is not None:
            yield f", {what}{least} to {most}"
        elif least is not None:
            yield f", {what}at least {least}"
        elif most is not None:
            yield f", {what}at most {most}"
