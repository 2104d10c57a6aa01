"""The documentation page: what it says, and where it may turn."""

import base64
import hashlib
import html
import json
import re
import shlex
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest

from cmbs.api import markup, openapi, page
from cmbs.api.app import ROUTES
from tests.web import Client

DOCUMENT = openapi.document(ROUTES)
OPERATIONS = [
    (path, method.upper(), told)
    for path, methods in DOCUMENT["paths"].items()
    for method, told in methods.items()
]
JSON = "application/json"
GROUPS = {"Sessions": 3, "Evidence": 2, "Audit": 4, "Gates": 7, "Spaces": 2, "Operations": 2}
HOSTILE = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>&amp;${x}`"


class Elements(HTMLParser):
    """The elements of a page, each of which is closed where it should be."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in ("meta", "link", "input", "wbr"):
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def having(self, attribute: str) -> list[str]:
        return [str(its[attribute]) for _, its in self.found if attribute in its]

    def shapes(self) -> set[tuple[str, str]]:
        return {(tag, name) for tag, its in self.found for name in ("", *its)}


def text_of(part: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", part))


def inner(text: str, tag: str) -> list[str]:
    return re.findall(rf"<{tag}(?: [^>]*)?>(.*?)</{tag}>", text, re.DOTALL)


def routes_of(text: str) -> dict[str, str]:
    """What the page has for each route."""
    _, *parts = re.split(r'<details class="route" id="([^"]*)">', text)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def pretty(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)


@pytest.fixture(scope="module")
def shown() -> str:
    return page.render(DOCUMENT).decode()


def test_the_policy_gives_the_page_its_own_and_nothing_else(client: Client) -> None:
    answer = client.get("/schema")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    ((style,), (script,)) = inner(answer.text, "style"), inner(answer.text, "script")
    told = answer.headers["content-security-policy"].split("; ")
    assert dict(part.split(" ", 1) for part in told) == {
        "default-src": "'none'",
        "style-src": f"'sha256-{digest(style)}'",
        "script-src": f"'sha256-{digest(script)}'",
        "connect-src": "'self'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }


def digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def test_nothing_on_the_page_is_elsewhere(client: Client) -> None:
    text = client.get("/schema").text
    elements, ids = Elements(text), Elements(text).having("id")
    assert set(re.findall(r"https?:[^'\"<> ]*", text)) == {"http://localhost:8000"}
    assert "url(" not in text
    assert "@import" not in text
    assert elements.having("src") == elements.having("style") == []
    assert not {name for _, its in elements.found for name in its if name.startswith("on")}
    links = elements.having("href")
    outside = {link for link in links if not link.startswith("#")}
    assert outside == {"data:,", "/schema/openapi.json", "/schema/openapi.yaml"}
    assert {client.get(link).status_code for link in outside - {"data:,"}} == {200}
    assert len(ids) == len(set(ids))
    assert {link[1:] for link in links} - {link[1:] for link in outside} <= {*ids}


def test_every_route_is_in_its_group(shown: str) -> None:
    assert inner(shown, "h2") == [*GROUPS]
    sections = inner(shown, "section")
    assert [len(routes_of(section)) for section in sections] == [*GROUPS.values()]
    routes = routes_of(shown)
    assert routes.keys() == {told["operationId"] for _, _, told in OPERATIONS}
    for path, method, told in OPERATIONS:
        (summary,) = inner(routes[told["operationId"]], "summary")[:1]
        assert text_of(summary) == f"{method} {path} {told['summary']}".replace("`", "")


def test_what_the_document_says_of_a_route_is_there(shown: str) -> None:
    routes = routes_of(shown)
    for _, _, told in OPERATIONS:
        here = text_of(routes[told["operationId"]])
        for parameter in told.get("parameters", ()):
            assert parameter["name"] + " needed" * parameter.get("required", False) in here
            assert parameter.get("description", "").replace("`", "") in here
        for status, answer in told["responses"].items():
            assert status in here
            assert all(name in here for name in answer.get("headers", ()))
            for content in answer.get("content", {}).values():
                assert pretty(content.get("example", "")) in here
                for example in content.get("examples", {}).values():
                    name = example["$ref"].rpartition("/")[2]
                    error = DOCUMENT["components"]["examples"][name]["value"]["error"]
                    details = json.dumps(error["details"], ensure_ascii=False)
                    assert f"{status}{error['code']}{error['message']}" in here
                    assert details in here or details == "null"


def test_the_members_of_a_body_are_told_also_those_of_objects_in_it(shown: str) -> None:
    routes = routes_of(shown)
    for _, _, told in OPERATIONS:
        if "requestBody" in told:
            content = told["requestBody"]["content"][JSON]
            here = routes[told["operationId"]]
            assert pretty(content["example"]) in text_of(here)
            schema = DOCUMENT["components"]["schemas"][content["schema"]["$ref"].rpartition("/")[2]]
            for name in schema["properties"]:
                mark = " <small>needed</small>" if name in schema["required"] else ""
                assert f'<th scope="row"><code>{name}</code>{mark}</th>' in here
    rows = text_of(re.sub(r"</t[hd]>", "|", routes["declare_session"]))
    assert "ontology needed|object||ontology.hypothesis_space_id needed|string||" in rows
    assert "policy.stability_window|integer, 0 to 1000||" in rows
    assert "hypotheses|list of strings, size at least 1|Opaque, 1 to 512 bytes.|" in rows
    batch = text_of(re.sub(r"</t[hd]>", "|", routes["eliminate_batch"]))
    assert "messages needed|list of objects, size 1 to 1000||messages[].session_id|uuid|" in batch


def commands(shown: str) -> Iterator[tuple[str, str, Any]]:
    """The curl commands, as a shell reads them: method, path, body."""
    for route in routes_of(shown).values():
        (command,) = re.findall(r'<div class="curl">.*?<pre>(.*?)</pre>', route, re.DOTALL)
        curl, *words = shlex.split(text_of(command).replace("\\\n", " "))
        assert curl == "curl"
        method = words.pop(1) if (given := words[0] == "-X") else "GET"
        url, *rest = words[given:]
        body = None
        if rest:
            method = method if given else "POST"
            kind, given_kind, data, text = rest
            assert (kind, data) == ("-H", "-d")
            assert given_kind.startswith(f"Content-Type: {JSON}")
            body = json.loads(text)
        yield method, url.removeprefix("http://localhost:8000"), body


def test_the_commands_are_requests_that_are_understood(shown: str, web: Client) -> None:
    found = [*commands(shown)]
    assert len(found) == len(OPERATIONS)
    for method, path, body in found:
        answer = web.request(method, path, json=body)
        code = answer.json().get("error", {}).get("code")
        assert code not in ("NOT_FOUND", "METHOD_NOT_ALLOWED", "INVALID_REQUEST"), (method, path)


def hostile(thing: Any, name: str = "") -> Any:
    """The same document with something wicked in every text, also in names."""
    if isinstance(thing, str):
        return thing if name == "$ref" else thing + HOSTILE
    if isinstance(thing, list):
        return [hostile(item) for item in thing]
    if not isinstance(thing, dict):
        return thing
    wicked = HOSTILE if name in ("paths", "properties", "content", "headers") else ""
    return {key + wicked: hostile(value, key) for key, value in thing.items()}


def test_what_the_document_says_is_never_taken_for_html(shown: str) -> None:
    text = page.render(hostile(DOCUMENT)).decode()
    assert Elements(text).shapes() <= Elements(shown).shapes()
    assert len(inner(text, "script")) == 1
    for harmful in ("<script>alert", "<img"):
        assert harmful not in text
    assert inner(text, "title")[0].endswith(html.escape(HOSTILE, quote=False))
    sent = [told.get("requestBody", {}).get("content") for _, _, told in OPERATIONS]
    bodies = [hostile(content[JSON]["example"]) if content else None for content in sent]
    found = [body for _, _, body in commands(text)]
    assert sorted(map(json.dumps, found)) == sorted(map(json.dumps, bodies))


def test_the_little_markdown_there_is() -> None:
    told = "One `<b>`\nline.\n\n* first\n  goes on\n* `x` & second\n\nThe *end*\n"
    assert markup.markdown(told) == (
        "<p>One <code>&lt;b&gt;</code>\nline.</p>"
        "<ul><li>first\n  goes on</li><li><code>x</code> &amp; second</li></ul>"
        "<p>The *end*</p>"
    )
