"""The documentation page: what it says, and what it does in a real browser."""

import base64
import hashlib
import html
import json
import re
import shlex
from collections.abc import Iterator
from html.parser import HTMLParser
from types import SimpleNamespace
from typing import Any

import pytest

from cmbs.api.docs import examples, markup, openapi, page
from cmbs.api.docs.components import example_of, inlined
from cmbs.api.routes import ROUTES
from cmbs.api.shell.admission import Terms
from tests.support.browser import Browser, browsing
from tests.support.servers import until
from tests.support.web import Client, serving, token_of

DOCUMENT = inlined(openapi.document(ROUTES))
OPERATIONS = [
    (path, method.upper(), told)
    for path, methods in DOCUMENT["paths"].items()
    for method, told in methods.items()
]
JSON = "application/json"
GROUPS = {"Sessions": 3, "Evidence": 2, "Audit": 7, "Gates": 7}
GROUPS |= {"Proposals": 11, "Execution": 7, "Questions": 5, "Claims": 4, "Policies": 16}
GROUPS |= {"Spaces": 2, "Identities": 12, "Operations": 3}
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
    return page.render(openapi.document(ROUTES), needs_token=False).decode()


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
    # The one that a webhook may be set to is a part of an example.
    named = {"http://localhost:8000", examples.REQUESTS["SetWebhook"]["url"]}
    assert set(re.findall(r"https?:[^'\"<> ]*", text)) == named
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
        assert text_of(summary) == f"{told['summary']} {method} {path}".replace("`", "")
    contents = dict(re.findall(r'<li><a href="#([^"]*)">(.*?)</a></li>', shown))
    told_first = {told["operationId"]: told["summary"] for _, _, told in OPERATIONS}
    assert {name: html.unescape(text) for name, text in contents.items()} == told_first


def test_a_first_line_is_a_sentence_that_says_what_a_route_is_for() -> None:
    summaries = [told["summary"] for _, _, told in OPERATIONS if told["operationId"] != "metrics"]
    assert len(set(summaries)) == len(summaries)
    for summary in summaries:
        assert re.fullmatch(r"[A-Z][a-z]+ [^.]{8,70}", summary), summary
        # Something to do, and neither a question nor a thing.
        assert summary.split()[0] not in ("The", "A", "What", "Why", "Which", "Who", "Whether")


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
                if int(status) < 400:
                    assert pretty(example_of(content)) in here
                    continue
                for example in content["examples"].values():
                    error = example["value"]["error"]
                    details = json.dumps(error["details"], ensure_ascii=False)
                    assert f"{status}{error['code']}{error['message']}" in here
                    assert details in here or details == "null"


def test_the_members_of_a_body_are_told_also_those_of_objects_in_it(shown: str) -> None:
    routes = routes_of(shown)
    for _, _, told in OPERATIONS:
        if "requestBody" in told:
            content = told["requestBody"]["content"][JSON]
            here = routes[told["operationId"]]
            assert pretty(example_of(content)) in text_of(here)
            schema = DOCUMENT["components"]["schemas"][content["schema"]["$ref"].rpartition("/")[2]]
            for name in schema["properties"]:
                mark = " <small>needed</small>" if name in schema["required"] else ""
                assert f'<th scope="row"><code>{name}</code>{mark}</th>' in here
    rows = text_of(re.sub(r"</t[hd]>", "|", routes["declare_session"]))
    assert "ontology needed|object||ontology.hypothesis_space_id needed|string, " in rows
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
        is_json = answer.headers["content-type"] == JSON
        code = answer.json().get("error", {}).get("code") if is_json else None
        assert is_json or answer.is_success
        assert code not in ("NOT_FOUND", "METHOD_NOT_ALLOWED", "INVALID_REQUEST"), (method, path)


def test_the_commands_show_a_token_where_one_is_needed(shown: str) -> None:
    token = '-H "Authorization: Bearer $CMBS_TOKEN" '
    assert token not in html.unescape(shown)
    routes = routes_of(page.render(DOCUMENT, needs_token=True).decode())
    for name, route in routes.items():
        assert (token in text_of(route)) == (name not in ("healthz", "readyz")), name


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
    text = page.render(hostile(DOCUMENT), needs_token=False).decode()
    assert Elements(text).shapes() <= Elements(shown).shapes()
    assert len(inner(text, "script")) == 1
    for harmful in ("<script>alert", "<img"):
        assert harmful not in text
    assert inner(text, "title")[0].endswith(html.escape(HOSTILE, quote=False))
    sent = [told.get("requestBody", {}).get("content") for _, _, told in OPERATIONS]
    bodies = [hostile(example_of(content[JSON])) if content else None for content in sent]
    found = [body for _, _, body in commands(text)]
    assert sorted(map(json.dumps, found)) == sorted(map(json.dumps, bodies))


def test_the_little_markdown_there_is() -> None:
    told = "One `<b>`\nline.\n\n* first\n  goes on\n* `x` & second\n\nThe *end*\n"
    assert markup.markdown(told) == (
        "<p>One <code>&lt;b&gt;</code>\nline.</p>"
        "<ul><li>first\n  goes on</li><li><code>x</code> &amp; second</li></ul>"
        "<p>The *end*</p>"
    )


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browsing() as browser:
        yield browser


@pytest.fixture
def browser(chromium: Browser, site: SimpleNamespace) -> Iterator[Browser]:
    """At the page, on a wide screen, with no session remembered."""
    look(chromium, 1280)
    chromium.open(f"{site.address}/schema")
    yield chromium
    chromium.ask("sessionStorage.clear()")


def look(browser: Browser, width: int, scheme: str = "light") -> None:
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.call("Emulation.setDeviceMetricsOverride", **size)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.call("Emulation.setEmulatedMedia", features=features)


def opened(browser: Browser) -> Any:
    return browser.ask("[...document.querySelectorAll('.route[open]')].map((of) => of.id)")


def send(browser: Browser, route: str) -> tuple[str, str]:
    """What a form shows after it was sent: the line with the status, and the rest."""
    form = f"document.querySelector('#{route} form')"
    browser.ask(f"document.getElementById('{route}').open = true")
    browser.click(f"#{route} form button")
    until(lambda: not browser.ask(f"{form}.ariaBusy"))
    told = f"[{form}.nextElementSibling, {form}.parentElement.lastElementChild]"
    status, rest = browser.ask(f"{told}.map((of) => of.hidden ? '' : of.textContent)")
    return status, rest


def test_the_page_renders_without_a_complaint(browser: Browser) -> None:
    assert browser.ask("document.title") == f"CMBS {DOCUMENT['info']['version']}"
    assert browser.ask("document.querySelectorAll('.route').length") == len(OPERATIONS)
    # Its own style is applied, and its own script has run.
    assert browser.ask("getComputedStyle(document.body).display") == "grid"
    assert browser.ask("document.querySelectorAll('.try[hidden]').length") == 0
    assert browser.ask("document.querySelector('.origin').textContent === location.origin")
    assert browser.complaints() == []


@pytest.mark.nightly
@pytest.mark.parametrize(
    "attempt",
    [
        "document.body.append(Object.assign(document.createElement('script'), {text: 'x = 1'}))",
        "document.body.setAttribute('onclick', 'x = 1')",
        "document.body.append(Object.assign(document.createElement('img'), {src: '/x.png'}))",
        "fetch('http://localhost:1/').catch(() => 0)",
        "document.body.append(document.createElement('iframe'))"
        " || (document.querySelector('iframe').src = '/schema')",
    ],
)
def test_what_is_not_the_page_s_own_is_refused(browser: Browser, attempt: str) -> None:
    browser.ask(attempt)
    until(lambda: browser.ask("1") and browser.complaints())
    assert "Content Security Policy" in json.dumps(browser.complaints())


def test_a_link_opens_its_route(browser: Browser, site: SimpleNamespace) -> None:
    assert opened(browser) == []
    browser.open(f"{site.address}/schema#eliminate")
    assert opened(browser) == ["eliminate"]
    top = "document.querySelector('#eliminate > summary').getBoundingClientRect().top"
    assert 0 <= browser.ask(top) < 100
    browser.click("nav a[href='#why']")
    until(lambda: opened(browser) == ["eliminate", "why"])
    assert browser.ask("location.hash") == "#why"
    browser.click("#why > summary")
    assert opened(browser) == ["eliminate"]
    browser.click("nav a[href='#why']")
    assert opened(browser) == ["eliminate", "why"]
    assert browser.complaints() == []


def test_a_route_is_reached_and_opened_with_the_keyboard(browser: Browser) -> None:
    browser.press("Tab", 9)
    assert browser.ask("document.activeElement.textContent") == "Skip to the routes"
    browser.press("Enter", 13, "\r")
    browser.press("Tab", 9)
    assert browser.ask("document.activeElement.parentElement.id") == "declare_session"
    browser.press("Enter", 13, "\r")
    assert opened(browser) == ["declare_session"]
    assert browser.ask("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_a_session_is_declared_and_eliminated_in(
    browser: Browser, site: SimpleNamespace, client: Client
) -> None:
    status, rest = send(browser, "declare_session")
    assert re.fullmatch(r"201 Created in \d+ ms", status)
    (session,) = re.findall("^Location: (.*)$", rest, re.MULTILINE)
    (head,) = re.findall('^ETag: "(.*)"$', rest, re.MULTILINE)
    assert re.search("^X-Request-ID: .", rest, re.MULTILINE)
    assert client.get(session).json()["audit_head_event_id"] == head
    browser.click("nav a[href='#eliminate']")
    browser.write("#eliminate [name=If-Match]", f'"{head}"')
    status, rest = send(browser, "eliminate")
    assert status.startswith("200 OK in ")
    assert json.loads(rest.partition("\n\n")[2])["applied_eliminated"] == ["disk_full"]
    assert "disk_full" not in client.get(session).json()["survivors"]
    # The session is still known when the page is loaded again.
    browser.open(f"{site.address}/schema#query_belief")
    browser.write("#query_belief [name=Prefer]", "return=minimal")
    status, rest = send(browser, "query_belief")
    assert "Preference-Applied: return=minimal" in rest
    assert f'"session_id": "{session.rpartition("/")[2]}"' in rest
    assert browser.complaints() == []


def test_a_token_goes_with_the_requests_and_is_kept_nowhere(
    chromium: Browser, database: str
) -> None:
    token = token_of(database, "ann", "admin", tenant="default")
    look(chromium, 1280)
    with serving(database, terms=Terms()) as address:
        chromium.open(f"{address}/schema")
        assert send(chromium, "identify")[0].startswith("401 Unauthorized in ")
        chromium.write("#token", f" {token.text} ")
        status, rest = send(chromium, "identify")
        assert status.startswith("200 OK in ")
        assert json.loads(rest.partition("\n\n")[2])["name"] == "ann"
        made = send(chromium, "create_principal")
        assert made[0].startswith("201 Created in "), made
        chromium.click("nav a[href='#change_principal']")
        chromium.write("#change_principal [name=name]", "agent7")
        assert send(chromium, "change_principal")[0].startswith("200 OK in ")
        status, rest = send(chromium, "list_tokens")
        token_id = json.loads(rest.partition("\n\n")[2])["tokens"][0]["token_id"]
        kept = "JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])"
        assert token.text not in chromium.ask(kept)
        chromium.click("nav a[href='#revoke_token']")
        chromium.write("#revoke_token [name=token_id]", token_id)
        assert send(chromium, "revoke_token")[0].startswith("200 OK in ")
        status, rest = send(chromium, "identify")
        assert status.startswith("401 Unauthorized in ")
        assert 'WWW-Authenticate: Bearer error="invalid_token"' in rest
        assert chromium.ask("document.getElementById('token').value") == f" {token.text} "
        chromium.open(f"{address}/schema")
        assert chromium.ask("document.getElementById('token').value") == ""


def test_a_command_is_copied_or_at_least_selected(browser: Browser) -> None:
    browser.click("nav a[href='#read_space']")
    browser.click("#read_space .curl button")
    path = "/v1/hypothesis-spaces/incident/versions/v1"
    address = browser.ask("location.origin")
    assert browser.ask("getSelection().toString()") == f"curl {address}{path}"
    assert browser.complaints() == []


def test_parameters_go_where_they_belong_and_digits_stay(browser: Browser, client: Client) -> None:
    session = client.declare("a/b c", "b")
    text = '{"n": 12345678901234567890.10, "e": [], "o": {}, "s": "a, {\\"b\\": [1]}"}'
    body = '{"source_id": "s", "observation_id": "o", "eliminated": ["a/b c"], "justification": %s}'
    client.post(f"{session}/eliminate", content=body % text, headers={"Content-Type": JSON})
    browser.click("nav a[href='#why']")
    browser.write("#why [name=session_id]", session.rpartition("/")[2])
    browser.write("#why [name=hypothesis_id]", "a/b c")
    status, rest = send(browser, "why")
    assert status.startswith("200 OK")
    shown = rest.partition("\n\n")[2]
    assert json.loads(shown) == client.get(f"{session}/hypotheses/a%2Fb%20c").json()
    assert '"n": 12345678901234567890.10,\n' in shown
    assert '"e": [],\n' in shown
    assert '"o": {}' in shown
    browser.click("nav a[href='#audit_trace']")
    browser.write("#audit_trace [name=session_id]", session.rpartition("/")[2])
    browser.write("#audit_trace [name=limit]", "1")
    browser.ask("document.querySelector('#audit_trace [name=Accept]').selectedIndex = 1")
    lines = send(browser, "audit_trace")[1].partition("\n\n")[2]
    assert json.loads(lines)["hypotheses"] == ["a/b c", "b"]


def test_what_went_wrong_is_told(browser: Browser) -> None:
    browser.click("nav a[href='#verify']")
    # What is needed is asked for before anything is sent.
    assert send(browser, "verify") == ("", "")
    browser.write("#verify [name=session_id]", "nobody")
    status, rest = send(browser, "verify")
    assert status.startswith("404 Not Found in ")
    assert '"code": "SESSION_NOT_FOUND"' in rest
    offline = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
    browser.call("Network.enable")
    browser.call("Network.emulateNetworkConditions", **offline)
    status, rest = send(browser, "verify")
    browser.call("Network.emulateNetworkConditions", **{**offline, "offline": False})
    assert status.startswith("There was no answer: ")
    assert rest == ""
    assert send(browser, "verify")[0].startswith("404 Not Found in ")


def shown_routes(browser: Browser) -> Any:
    """The routes that are left, those of the contents, the groups of both, and how many it says."""
    return browser.ask("""[
      [...document.querySelectorAll("details.route")].filter((of) => of.checkVisibility())
        .map((of) => of.id),
      [...document.querySelectorAll("nav li")].filter((of) => of.checkVisibility())
        .map((of) => of.firstElementChild.hash.slice(1)),
      [...document.querySelectorAll("h2")].filter((of) => of.checkVisibility())
        .map((of) => of.textContent),
      [...document.querySelectorAll("nav p")].filter((of) => of.checkVisibility())
        .map((of) => of.textContent),
      document.getElementById("found").textContent,
    ]""")


def search(browser: Browser, words: str) -> list[str]:
    """The routes that are found, of which every part of the page tells the same."""
    browser.write("#query", words)
    routes, contents, groups, headings, said = shown_routes(browser)
    assert contents == routes
    assert groups == headings
    assert len(groups) <= len(routes)
    assert said == f"{len(routes)} of {len(OPERATIONS)} routes"
    return [str(route) for route in routes]


def test_routes_are_found_by_words(browser: Browser) -> None:
    everything = [told["operationId"] for _, _, told in OPERATIONS]
    assert sorted(shown_routes(browser)[0]) == sorted(everything)
    for words, found in (
        # Of the first line, in any order and case.
        ("observations RULE once", ["eliminate_batch"]),
        # A method and a path.
        ("patch /v1/principals", ["change_principal"]),
        # An operation, also as a program calls it.
        ("explain_decision", ["explain_decision"]),
        ("explain decision", ["explain_decision"]),
        # The description.
        ("doubt", ["whatif"]),
        # A parameter; a member of a body, and of an object in it; an error.
        ("without_observation", ["whatif"]),
        ("policy.stability_window", ["declare_session"]),
        ("messages[].observation_id", ["eliminate_batch"]),
        ("CLAIM_NOT_FOUND", ["promote_claim"]),
        ("no route has this", []),
        # Nothing is markup, and nothing is a pattern.
        ("<b>.*", []),
    ):
        assert search(browser, words) == found, words
    assert search(browser, "  ") == shown_routes(browser)[0]
    assert len(search(browser, "")) == len(OPERATIONS)
    assert browser.complaints() == []


def test_a_search_needs_the_keyboard_alone(browser: Browser) -> None:
    focused = "document.activeElement.id || document.activeElement.parentElement.id"
    browser.press("/", 191, "/")
    assert browser.ask(focused) == "query"
    assert browser.ask("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    browser.call("Input.insertText", text="claim")
    browser.press("/", 191, "/")
    # In a field it is a letter as any other.
    assert browser.ask("document.getElementById('query').value") == "claim/"
    browser.press("Escape", 27)
    assert browser.ask("document.getElementById('query').value") == ""
    assert shown_routes(browser)[4] == f"{len(OPERATIONS)} of {len(OPERATIONS)} routes"
    browser.call("Input.insertText", text="observation doubt")
    browser.press("Enter", 13, "\r")
    assert opened(browser) == ["whatif"]
    assert browser.ask(focused) == "whatif"
    assert browser.ask("document.activeElement.tagName") == "SUMMARY"
    browser.write("#token", "/")
    assert browser.ask("document.getElementById('token').value") == "/"
    browser.press("/", 191, "/")
    assert browser.ask(focused) == "token"
    assert browser.complaints() == []


def test_a_search_is_kept_in_the_address(browser: Browser, site: SimpleNamespace) -> None:
    here = "location.pathname + location.search + location.hash"
    found = search(browser, "rule out")
    assert browser.ask(here) == "/schema?q=rule+out"
    # A link to a route leads to it, and keeps what was searched for.
    browser.click("nav a[href='#why']")
    until(lambda: opened(browser) == ["why"])
    assert browser.ask(here) == "/schema?q=rule+out#why"
    asked = browser.ask("performance.getEntriesByType('resource').length")
    assert asked == 0, "nothing was asked for"
    browser.open(f"{site.address}/schema?q=rule+out#why")
    assert shown_routes(browser)[0] == found
    assert browser.ask("document.getElementById('query').value") == "rule out"
    assert opened(browser) == ["why"]
    # A link to what was not found shows it all the same.
    browser.open(f"{site.address}/schema?q=rule+out#healthz")
    assert opened(browser) == ["healthz"]
    assert browser.ask(here) == "/schema#healthz"
    assert len(shown_routes(browser)[0]) == len(OPERATIONS)
    search(browser, f"{HOSTILE} & = # ?")
    assert browser.ask("new URL(location.href).searchParams.get('q')") == f"{HOSTILE} & = # ?"
    browser.press("Escape", 27)
    assert browser.ask(here) == "/schema#healthz"
    assert browser.complaints() == []


def test_what_is_found_begins_in_sight(browser: Browser) -> None:
    browser.ask("scrollTo(0, document.body.scrollHeight)")
    browser.press("/", 191, "/")
    browser.call("Input.insertText", text="session")
    top = browser.ask("document.querySelector('main h2').getBoundingClientRect().top")
    bottom = browser.ask("document.getElementById('search').getBoundingClientRect().bottom")
    assert 0 < bottom <= top < 300


def test_without_a_script_everything_can_be_read(browser: Browser, site: SimpleNamespace) -> None:
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(f"{site.address}/schema")
        assert browser.ask("document.querySelector('noscript').innerText") != ""
        assert not browser.ask("document.getElementById('query').checkVisibility()")
        browser.ask("document.querySelector('#eliminate > summary').click()")
        until(lambda: opened(browser) == ["eliminate"])
        text = browser.ask("document.querySelector('#eliminate').innerText")
        assert "SESSION_TERMINATED" in text
        assert "curl http://localhost:8000/" in text
        assert "Try it" not in text
    finally:
        browser.call("Emulation.setScriptExecutionDisabled", value=False)


@pytest.mark.nightly
@pytest.mark.parametrize(
    "width", [320, *(pytest.param(one, marks=pytest.mark.nightly) for one in (390, 768)), 1280]
)
def test_nothing_is_wider_than_the_screen(browser: Browser, width: int) -> None:
    look(browser, width)
    browser.ask("document.querySelectorAll('details').forEach((of) => { of.open = true; })")
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert browser.ask(wide) == 0
    hidden = "[...document.querySelectorAll('pre')].filter((of) => of.scrollWidth > of.clientWidth)"
    assert browser.ask(f"{hidden}.length") == 0


# Every visible text against the first ground behind it that is not transparent.
CONTRASTS = """(() => {
  const parts = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = (color) => {
    const [r, g, b] = parts(color).map((of) => of / 255)
      .map((of) => (of <= 0.04045 ? of / 12.92 : ((of + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (of) => {
    const color = of ? getComputedStyle(of).backgroundColor : "rgb(255, 255, 255)";
    return parts(color)[3] === 0 ? ground(of.parentElement) : color;
  };
  const found = {};
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const of = walker.currentNode.parentElement;
    if (walker.data !== "" && of.checkVisibility()) {
      const colors = [getComputedStyle(of).color, ground(of)];
      const [dark, bright] = colors.map(light).sort((a, b) => a - b);
      found[colors.join(" on ")] = (bright + 0.05) / (dark + 0.05);
    }
  }
  return found;
})()"""


@pytest.mark.nightly
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out_from_its_ground(browser: Browser, scheme: str) -> None:
    look(browser, 1280, scheme)
    browser.ask("document.querySelectorAll('details').forEach((of) => { of.open = true; })")
    browser.ask("document.querySelectorAll('[role=status]').forEach((of) => of.className = 'bad')")
    browser.ask("document.querySelectorAll('[role=status]').forEach((of) => of.textContent = 'x')")
    found = browser.ask(CONTRASTS)
    assert len(found) > 5
    assert {colors: ratio for colors, ratio in found.items() if ratio < 4.5} == {}
    dark = browser.ask("getComputedStyle(document.documentElement).backgroundColor")
    assert (dark == "rgb(255, 255, 255)") == (scheme == "light")


@pytest.mark.nightly
@pytest.mark.slow("starts a browser")
def test_every_field_and_landmark_has_a_name(browser: Browser) -> None:
    browser.call("Accessibility.enable")
    browser.ask("document.querySelectorAll('details').forEach((of) => { of.open = true; })")
    nodes = browser.call("Accessibility.getFullAXTree")["nodes"]
    browser.call("Accessibility.disable")
    roles: dict[str, list[str]] = {}
    for node in nodes:
        if not node["ignored"]:
            name = node.get("name", {}).get("value", "")
            roles.setdefault(node["role"]["value"], []).append(name)
    named = ("textbox", "combobox", "spinbutton", "button", "form", "navigation", "region", "link")
    named = (*named, "searchbox")
    for role in named:
        assert roles[role], role
        assert all(roles[role]), role
    assert len(roles["form"]) == len(OPERATIONS)
    assert {len(roles[role]) for role in ("main", "banner", "navigation", "search")} == {1}
