"""One line of JSON for each request, with nothing in it that is nobody's business."""

import json
import logging
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from cmbs.api.shell.admission import Terms
from tests.http.tour import tour
from tests.http.wire import NO_EVENT, NOBODY, answered, exchange, head
from tests.support.servers import until
from tests.support.web import ONTOLOGY, Client, bearer, site_over, token_of

SECRET = "planted-secret"
MEMBERS = {
    *("request_id", "method", "route", "verb", "session_id", "principal", "tenant"),
    *("status", "sqlstate", "shed", "class", "ms", "ts", "level", "event", "client"),
}


class Log:
    def __init__(self, caplog: pytest.LogCaptureFixture) -> None:
        self._caplog = caplog

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(r.message) for r in self._caplog.records if r.name == "cmbs.access"]

    def of(self, answer: Any) -> dict[str, Any]:
        """The line of a request, which may be written after the answer has arrived."""
        sent = answer.headers["x-request-id"]
        found: list[dict[str, Any]] = []

        def is_there() -> bool:
            found[:] = [line for line in self.lines() if line["request_id"] == sent]
            return bool(found)

        until(is_there)
        (line,) = found
        return line


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> Iterator[Log]:
    # Tests call through httpx, whose own lines hold paths.
    logging.getLogger("httpx").setLevel(logging.WARNING)
    caplog.set_level(logging.INFO)
    yield Log(caplog)
    logging.getLogger("httpx").setLevel(logging.NOTSET)


def test_head_is_called_by_its_name(client: Client, log: Log) -> None:
    assert log.of(client.head(client.declare()))["method"] == "HEAD"


def test_every_request_has_one_line(client: Client, log: Log) -> None:
    answers = [answer for _, _, answer in tour(client)]
    for answer in answers:
        line = log.of(answer)
        assert set(line) == MEMBERS
        assert line["status"] == answer.status_code
        assert line["method"] == answer.request.method
        assert 0 <= line["ms"] < 60_000
    assert len({line["request_id"] for line in log.lines()}) == len(log.lines())
    verbs = {line["verb"] for line in log.lines()}
    assert verbs >= {
        *("DECLARE_SESSION", "ELIMINATE", "ENTER_OBLIGATION", "REQUEST_EXIT", "AUDIT_TRACE"),
        *("WAIVE_OBLIGATION", "DECLARE_CONCLUSION", "REQUEST_TERMINATION", "QUERY_BELIEF"),
    }


@pytest.mark.parametrize("path", ["", "/audit", "/verify", "/hypotheses/a", "/nothing"])
def test_a_line_names_the_session_and_the_route(client: Client, log: Log, path: str) -> None:
    session = client.declare()
    line = log.of(client.get(session + path))
    if path == "/nothing":
        assert line["status"] == 404
        return
    assert line["session_id"] == session[-36:]
    assert line["route"].startswith("/v1/sessions/{session_id}")


def test_a_declare_names_the_session_that_it_made(client: Client, log: Log) -> None:
    answer = client.post("/v1/sessions", json={"ontology": ONTOLOGY, "hypotheses": ["a"]})
    assert log.of(answer)["session_id"] == answer.json()["session_id"]


def test_refusals_have_lines_too(client: Client, log: Log) -> None:
    for method, path, status in (
        ("GET", "/nothing", 404),
        ("DELETE", "/v1/sessions", 405),
        ("GET", "/v1/sessions?x=1", 400),
        ("POST", "/v1/sessions", 400),
        ("GET", NOBODY, 404),
        ("OPTIONS", NOBODY, 204),
    ):
        assert log.of(client.request(method, path))["status"] == status


def hidden(client: Client) -> Iterator[Any]:
    """Requests with the secret wherever text can be."""
    here, x = client.declare(SECRET), SECRET
    told = {"source_id": x, "observation_id": x, "eliminated": [x, x], "justification": {x: x}}
    ontology = dict.fromkeys(ONTOLOGY, x)
    headers = {"If-Match": f'"{x}"', "Prefer": x, "User-Agent": x, "Accept": x, "Cookie": x}
    yield client.post("/v1/sessions", json={"ontology": ontology, "hypotheses": [x], "notes": x})
    yield client.post(f"{here}/eliminate", json=told | {"notes": x})
    yield client.post(f"{here}/eliminate", json=told | {"eliminated": ["a"]})
    yield client.post(f"{here}/eliminate/batch", json={"messages": [told]})
    yield client.post(f"{here}/obligations", json={"obligation_id": x, "min_total_eliminations": 1})
    yield client.post(f"{here}/obligations/{x}/exit", json={"context": {x: x}})
    yield client.post(f"{here}/obligations/{x}/waive", json={"reason": x})
    yield client.post(
        f"{here}/conclusions", json={"conclusion_id": x}, headers={"Idempotency-Key": x}
    )
    yield client.post(f"{here}/terminate", content=x)
    yield client.post(f"{here}/terminate", content=f'{{"{x}": 1}}', headers={"Content-Type": x})
    yield client.post(f"{here}/terminate", json={x: x})
    yield client.post(f"{here}/terminate", headers=headers)
    stale = headers | {"If-Match": f'"{x}", "{NO_EVENT}"'}
    yield client.post(f"{here}/terminate", headers=stale)
    yield client.post(f"{here}/terminate", headers={"Content-Encoding": x}, content=x)
    yield client.put(f"/v1/hypothesis-spaces/{x}/versions/{x}", json={"hypotheses": [x]})
    for path in (f"/{x}", f"/v1/sessions/{x}", f"/v1/sessions/{x}/audit", f"{here}/{x}"):
        yield client.get(path)
    for path in (f"{here}/audit/{x}", f"{here}/hypotheses/{x}", f"{here}/hypotheses/a/{x}"):
        yield client.get(path)
    for query in (f"?as_of={x}", f"?{x}=1", f"/audit?since_event_id={x}", f"/audit?limit={x}"):
        yield client.get(here + query)
    yield client.get(f"/v1/sessions?cursor={x}&hypothesis_space_id={x}&terminated={x}")
    yield client.get(here, headers=headers | {"If-None-Match": f'"{x}"'})
    yield client.get(f"{here}/audit", headers={"X-Request-ID": f"{x} with a space"})
    yield client.request("DELETE", f"{here}/hypotheses/{x}")


def test_no_line_tells_what_was_in_a_request(
    client: Client,
    log: Log,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    answers = list(hidden(client))
    assert {answer.status_code for answer in answers} >= {200, 201, 400, 404, 405, 409, 412, 415}
    for answer in answers:
        log.of(answer)
    assert SECRET not in caplog.text + "".join(capfd.readouterr())


def test_a_request_id_of_the_caller_is_in_the_line(
    site: SimpleNamespace, client: Client, log: Log
) -> None:
    answer = client.get("/healthz", headers={"X-Request-ID": "mine-1"})
    assert log.of(answer)["request_id"] == "mine-1"
    hostile = '{"request_id":"x"}\\n'
    assert log.of(client.get("/healthz", headers={"X-Request-ID": hostile}))["status"] == 200
    for line in log.lines():
        assert set(line) == MEMBERS
    assert answered(exchange(site.address, head("GET", f"{NOBODY}/audit/{NO_EVENT}")))[0] == 404


def test_no_name_breaks_a_line(
    server: SimpleNamespace, template: Any, log: Log, caplog: pytest.LogCaptureFixture
) -> None:
    # What begins or ends a line in ASCII, the kernel refuses.
    name = 'a"\\{"request_id": "forged"}\u2028\u0085\u009b2J\u202e\U000e0001 日本 😀'
    with site_over(server, template, "log", Terms(rate=0)) as site:
        token = token_of(site.database, name, "agent", tenant=f"of {name}")
        with Client(base_url=site.address, headers=bearer(token)) as client:
            line = log.of(client.get("/v1/whoami"))
    assert (line["principal"], line["tenant"]) == (name, f"of {name}")
    (written,) = [r.message for r in caplog.records if line["request_id"] in r.message]
    assert written.isprintable(), "nothing that ends a line, or that a terminal obeys"
