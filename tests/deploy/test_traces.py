"""Traces of a real `cmbs serve`, as a collector gets them."""

import contextlib
import json
import os
import signal
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from cmbs.api.docs import examples
from cmbs.api.shell.traces import _of_answer
from tests.http.test_access_log import SECRET, hidden
from tests.http.test_long_reads import held_up, n_verifying
from tests.http.test_traceparent import HOSTILE, SAMPLED, SPAN, TRACE
from tests.support.collector import CLIENT, ERROR, SERVER, Collector, attributes, collecting
from tests.support.databases import copied
from tests.support.served import Served, access_lines, free_port, running
from tests.support.servers import ROOT, reachable_folder, until
from tests.support.web import Client

SOON = {"OTEL_BSP_SCHEDULE_DELAY": "50"}
WAITING = (
    "select pid from pg_stat_activity where wait_event_type = 'Lock' "
    "and datname = current_database()"
)
# Whatever the machine has set says nothing here.
UNSET = {name: "" for name in os.environ if name.startswith("OTEL_")}


def served_on(folder: Path, database: str, *arguments: str, **env: str) -> Served:
    """A server over a database, with these variables of OpenTelemetry and no others."""
    url = make_conninfo(database, user="cmbs_server")
    given = ("--database-url", url, "--no-auth", *arguments)
    return Served(folder, given, {**UNSET, **env})


@dataclass
class Traced:
    """A server that sends its spans, and those who look at both ends."""

    client: Client
    collector: Collector
    served: Served
    database: str
    _n_asked: int = field(default=0)

    def ask(self, method: str, path: str, **more: Any) -> tuple[httpx.Response, list[Any]]:
        """The answer to a request, and the spans of its trace."""
        self._n_asked += 1
        trace_id = f"{self._n_asked:032x}"
        headers = {**more.pop("headers", {}), "traceparent": f"00-{trace_id}-{SPAN}-01"}
        answer = self.client.request(method, path, headers=headers, **more)
        return answer, self.trace(trace_id)

    def trace(self, trace_id: str) -> list[Any]:
        """The span of a request, and of the verbs that it asked for."""
        # By itself, an open server asks every second whether it still is one.
        return [span for span in self.collector.trace(trace_id) if span.name != "identify"]

    def line_of(self, answer: httpx.Response) -> dict[str, Any]:
        sent, found = answer.headers["x-request-id"], []

        def is_there() -> bool:
            lines = map(json.loads, access_lines(self.served.err))
            found[:] = [line for line in lines if line["request_id"] == sent]
            return bool(found)

        until(is_there)
        return found[0]


@pytest.fixture(scope="module")
def own_database(server: SimpleNamespace, template: Any) -> Iterator[str]:
    with copied(server, template, "traced") as database:
        yield database


@pytest.fixture
def folder() -> Iterator[Path]:
    with reachable_folder() as folder:
        yield folder


@pytest.fixture(scope="module")
def traced(own_database: str) -> Iterator[Traced]:
    with reachable_folder() as folder, collecting() as collector:
        endpoint = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.address}
        with (
            running(served_on(folder, own_database, **endpoint, **SOON)) as served,
            Client(base_url=served.address, timeout=60) as client,
        ):
            yield Traced(client, collector, served, own_database)


def test_a_request_has_a_span_and_so_has_its_verb(traced: Traced) -> None:
    session = traced.client.declare()
    told = {"source_id": "s", "observation_id": "o", "eliminated": ["a"]}
    answer, (request, verb) = traced.ask("POST", f"{session}/eliminate", json=told)
    route = "/v1/sessions/{session_id}/eliminate"
    assert (request.name, request.kind) == (f"POST {route}", SERVER)
    assert attributes(request) == {
        "http.request.method": "POST",
        "http.route": route,
        "http.response.status_code": 200,
        "url.scheme": "http",
        "server.address": "127.0.0.1",
        "server.port": traced.served.port,
    }
    assert request.parent_span_id.hex() == SPAN
    assert (verb.name, verb.kind) == ("eliminate", CLIENT)
    assert verb.parent_span_id == request.span_id
    event = traced.client.get(f"{session}/audit").json()["events"][-1]
    assert event["event_id"] == answer.json()["audit_event_id"]
    assert attributes(verb) == {
        "db.system.name": "postgresql",
        "cmbs.verb": "eliminate",
        "cmbs.session": session[-36:],
        "cmbs.seq": event["seq"],
        "cmbs.event_hash": event["event_hash"],
    }
    assert {span.status.code for span in (request, verb)} == {0}
    assert request.start_time_unix_nano <= verb.start_time_unix_nano
    assert verb.end_time_unix_nano <= request.end_time_unix_nano
    (resource,) = {resource["service.name"] for resource in traced.collector.resources()}
    assert resource == "cmbs"


def test_a_trace_goes_on_in_spans_and_in_the_log(traced: Traced) -> None:
    headers = {"tracestate": "vendor=of the caller,other=1"}
    answer, (request, *_) = traced.ask("GET", traced.client.declare(), headers=headers)
    assert request.trace_state == "vendor=of the caller,other=1"
    line = traced.line_of(answer)
    assert (line["trace_id"], line["span_id"]) == (request.trace_id.hex(), request.span_id.hex())
    # Without a caller's, a trace begins here.
    line = traced.line_of(traced.client.get(traced.client.declare()))
    request, verb = traced.trace(line["trace_id"])
    assert request.span_id.hex() == line["span_id"]
    assert request.parent_span_id == b""
    assert verb.name == "query_belief"


def test_what_the_caller_does_not_record_is_not_recorded_here(traced: Traced) -> None:
    session = traced.client.declare()
    unsampled = {"traceparent": f"00-{TRACE}-{SPAN}-00"}
    line = traced.line_of(traced.client.get(session, headers=unsampled))
    assert line["trace_id"] == TRACE
    assert "span_id" not in line
    # What came later has arrived, so this would have, too.
    traced.ask("GET", session)
    assert TRACE not in {span.trace_id.hex() for span in traced.collector.spans()}


def test_hostile_headers_begin_a_trace_of_our_own(traced: Traced) -> None:
    state = "k=v,\u00e9=x,planted=a=b,,,=, " + "y" * 9_000
    hostile = [[(b"traceparent", value.encode())] for value in HOSTILE]
    hostile.append([(b"traceparent", SAMPLED.encode())] * 2)
    with_state = [(b"tracestate", state.encode())]
    answers = [traced.client.get("/v1/whoami", headers=[*sent, *with_state]) for sent in hostile]
    for answer in answers:
        trace_id = traced.line_of(answer)["trace_id"]
        assert trace_id != TRACE
        (request,) = traced.trace(trace_id)
        assert (request.name, request.trace_state) == ("GET /v1/whoami", "")
    # A trace of the caller's with a state that is none keeps the trace alone.
    for header in (state, "planted", "k=v," * 40 + "planted=1", "k=v,k=planted"):
        _, (request,) = traced.ask("GET", "/v1/whoami", headers={b"tracestate": header.encode()})
        assert request.trace_state == ""
    assert "planted" not in traced.served.err


def test_a_verdict_and_its_reason(traced: Traced) -> None:
    client, session = traced.client, traced.client.declare()
    client.post(f"{session}/obligations", json={"obligation_id": "o", "min_total_eliminations": 1})
    _, (_, denied) = traced.ask("POST", f"{session}/conclusions", json={"conclusion_id": "a"})
    told = attributes(denied)
    assert told["cmbs.verdict"] == "denied"
    assert told["cmbs.reason"] == "active obligation blocks conclusion"
    assert told["cmbs.seq"] == 3
    client.eliminate(session, "a")
    _, (_, approved) = traced.ask("POST", f"{session}/obligations/o/exit", json={})
    assert attributes(approved)["cmbs.verdict"] == "approved"
    _, (request, refused) = traced.ask("POST", f"{session}/obligations/o/exit", json={})
    told = attributes(refused)
    assert (told["cmbs.verdict"], told["cmbs.reason"]) == ("refused", "OBLIGATION_NOT_FOUND")
    assert told["db.response.status_code"] == "MB002"
    assert "cmbs.seq" not in told
    assert attributes(request)["http.response.status_code"] == 404
    # A refusal is the caller's to mend, and no error of this server.
    assert {request.status.code, refused.status.code} == {0}


def test_what_fails_is_an_error_without_its_text(traced: Traced) -> None:
    session = traced.client.declare(SECRET, "b")
    told = {"source_id": "s", "observation_id": "o", "eliminated": [SECRET]}
    with ThreadPoolExecutor(1) as pool, locked(traced.database, session) as watcher:
        asking = pool.submit(traced.ask, "POST", f"{session}/eliminate", json=told)
        until(lambda: watcher.execute(WAITING).fetchone() is not None)
        watcher.execute(f"select pg_terminate_backend(w.pid) from ({WAITING}) as w")
        answer, (request, verb) = asking.result()
    assert answer.status_code == 503
    assert (request.status.code, verb.status.code) == (ERROR, ERROR)
    assert request.status.message == verb.status.message == ""
    assert attributes(verb)["db.response.status_code"] == "57P01"
    assert {attributes(one)["error.type"] for one in (request, verb)} == {"AdminShutdown"}
    assert len(request.events) == len(verb.events) == 0
    line = traced.line_of(answer)
    failures = [one for one in traced.served.err.splitlines() if '"event":"failure"' in one]
    (failure,) = [json.loads(one) for one in failures if line["request_id"] in one]
    assert (failure["trace_id"], failure["span_id"]) == (line["trace_id"], line["span_id"])


@contextlib.contextmanager
def locked(database: str, session: str) -> Iterator[psycopg.Connection[Any]]:
    """Nobody can write to a session; a connection that can look at who waits to."""
    lock = "select 1 from cmbs_store.session where session_id = %s for update"
    with psycopg.connect(database) as holder:
        holder.execute(lock, [UUID(session[-36:])])
        with psycopg.connect(database, autocommit=True) as watcher:
            yield watcher


def test_a_stream_is_one_request_until_its_end(traced: Traced) -> None:
    session = traced.client.declare()
    for no in range(12):
        traced.client.eliminate(session, "a", observation=str(no))
    accept = {"Accept": "application/x-ndjson"}
    answer, (request, *verbs) = traced.ask("GET", f"{session}/audit", headers=accept)
    assert answer.text.count("\n") == 13
    assert [verb.name for verb in verbs] == ["audit_lines"] * 2
    assert {verb.parent_span_id for verb in verbs} == {request.span_id}
    assert request.end_time_unix_nano >= max(verb.end_time_unix_nano for verb in verbs)


def test_a_stream_that_nobody_reads_to_its_end_is_marked(traced: Traced) -> None:
    session, trace_id = traced.client.declare(), "d" * 32
    # More than sockets keep, and more pages than one.
    long = {"text": "x" * 500_000}
    for no in range(12):
        traced.client.eliminate(session, "a", observation=str(no), justification=long)
    head = f"GET {session}/audit HTTP/1.1\r\nhost: localhost\r\n"
    head += f"traceparent: 00-{trace_id}-{SPAN}-01\r\n\r\n"
    with socket.create_connection(("127.0.0.1", traced.served.port)) as connection:
        connection.sendall(head.encode())
        assert connection.recv(12) == b"HTTP/1.1 200"
    request, *_ = traced.trace(trace_id)
    assert attributes(request)["cmbs.cancelled"] is True
    assert attributes(request)["http.response.status_code"] == 200
    assert request.status.code == 0


def test_what_nobody_waits_for_any_more_is_marked(traced: Traced) -> None:
    session, trace_id = traced.client.declare(), "c" * 32
    head = f"GET {session}/verify HTTP/1.1\r\nhost: localhost\r\n"
    head += f"traceparent: 00-{trace_id}-{SPAN}-01\r\n\r\n"
    with held_up(traced.database), psycopg.connect(traced.database, autocommit=True) as watcher:
        with socket.create_connection(("127.0.0.1", traced.served.port)) as connection:
            connection.sendall(head.encode())
            until(lambda: n_verifying(watcher) == 1)
        request, verb = traced.trace(trace_id)
    assert attributes(verb)["cmbs.cancelled"] is True
    assert attributes(request)["cmbs.cancelled"] is True
    assert attributes(request)["http.response.status_code"] == 499
    assert {request.status.code, verb.status.code} == {0}


def test_no_span_tells_what_was_in_a_request(traced: Traced) -> None:
    answers = [*hidden(traced.client)]
    assert {answer.status_code for answer in answers} >= {200, 201, 400, 404, 405, 409, 412, 415}
    # A method that nobody knows here; HTTP itself has it.
    answer, (request,) = traced.ask("PURGE", f"/{SECRET}?{SECRET}")
    assert answer.status_code == 404
    assert request.name == "HTTP"
    assert attributes(request)["http.request.method"] == "_OTHER"
    n_spans = len(traced.collector.spans())
    assert n_spans > len(answers)
    assert not [body for body in traced.collector.bodies if SECRET.encode() in body]


def test_what_a_span_takes_of_each_answer(subtests: pytest.Subtests) -> None:
    """Of the answers that were recorded from a server, which `/schema` shows."""
    for name, answer in examples.ANSWERS.items():
        told = _of_answer(json.dumps(answer).encode())
        with subtests.test(name):
            if "audit_event_id" not in answer:
                assert told == {}
                continue
            event = UUID(answer["audit_event_id"])
            assert told.pop("cmbs.seq") == event.int % 2**48
            assert told.pop("cmbs.event_hash") == answer["snapshot"]["audit_head_hash"]
            told.pop("cmbs.verdict", None)
            assert told.keys() <= {"cmbs.reason"}
            assert name != "ModeSet" or told == {}, "its reason is the caller's"
    asked = {"decision": "deny", "disposition": "ask", "reason_code": "CONSTRAINT_DENIED"}
    for verdict, changed in (
        ({"cmbs.verdict": "allow", "cmbs.reason": "ALLOWED"}, {}),
        ({"cmbs.verdict": "ask", "cmbs.reason": "CONSTRAINT_DENIED"}, asked),
        ({"cmbs.verdict": "deny"}, {"decision": "deny", "disposition": "block"}),
        ({"cmbs.verdict": "defer"}, {"decision": "defer", "disposition": "defer"}),
        ({"cmbs.verdict": "approved"}, {"approved": True, "reason": "approved"}),
        ({"cmbs.verdict": "denied"}, {"accepted": False, "reason": "no"}),
    ):
        text = json.dumps(examples.ANSWERS["Proposed"] | changed).encode()
        told = _of_answer(text)
        assert told | verdict == told
        # Later than the event, the head is another.
        moved = examples.ANSWERS["Proposed"]["snapshot"] | {"audit_head_event_id": str(UUID(int=9))}
        later = examples.ANSWERS["Proposed"] | changed | {"snapshot": moved}
        assert "cmbs.event_hash" not in _of_answer(json.dumps(later).encode())
    for text in (
        b"",
        b"null",
        b"[]",
        b"0011",
        b'{"audit_event_id": 1}',
        b'{"a": ' + b"[" * 100_000,
    ):
        assert _of_answer(text) == {}


@pytest.mark.slow("a server with two workers")
def test_every_worker_sends_what_it_has_before_it_ends(folder: Path, own_database: str) -> None:
    # Nothing is sent before: a span would wait for longer than any test runs.
    late = {"OTEL_BSP_SCHEDULE_DELAY": "600000", "OTEL_SERVICE_NAME": "ours"}
    with collecting() as collector:
        env = {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": f"{collector.address}/v1/traces", **late}
        with running(served_on(folder, own_database, "--workers", "2", **env)) as served:
            # Ids of requests tell one worker from another.
            asked = dict[str, str]()

            def both_answer() -> bool:
                answer = httpx.get(f"{served.address}/v1/whoami")
                asked[answer.headers["x-request-id"]] = answer.headers["x-request-id"][:24]
                return len(set(asked.values())) == 2

            until(both_answer)
            assert collector.bodies == []
            assert served.end() == 0
        lines = [json.loads(line) for line in access_lines(served.err)]
        mine = {line["trace_id"] for line in lines if line["request_id"] in asked}
        assert len(mine) == len(asked)
        assert mine <= {span.trace_id.hex() for span in collector.spans()}
        assert len(collector.bodies) == 2
        assert {resource["service.name"] for resource in collector.resources()} == {"ours"}


@pytest.mark.slow("waits as long for a collector as a server does")
def test_a_collector_that_hangs_holds_up_nobody(folder: Path, own_database: str) -> None:
    # For longer than any test runs, if somebody waited for it; and the queue is soon full.
    patient = {"OTEL_EXPORTER_OTLP_TIMEOUT": "600"}
    patient |= {"OTEL_BSP_MAX_QUEUE_SIZE": "4", "OTEL_BSP_MAX_EXPORT_BATCH_SIZE": "2"}
    with collecting() as collector:
        collector.answers.clear()
        endpoint = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.address}
        env = {**endpoint, **SOON, **patient}
        with (
            running(served_on(folder, own_database, **env)) as served,
            Client(base_url=served.address) as client,
        ):
            session = client.declare()
            until(lambda: collector.bodies)
            for no in range(20):
                client.eliminate(session, "a", observation=str(no))
            os.kill(served.pid, signal.SIGTERM)
            # OpenTelemetry by itself would wait for half a minute.
            until(lambda: not served.is_running(), 20)
            assert served.process is not None
            assert served.process.returncode == 0
        events = {json.loads(line)["event"] for line in served.err.splitlines()}
        assert events == {"start", "ready", "request", "stop"}


def test_a_collector_that_is_away_is_told_of_once(folder: Path, own_database: str) -> None:
    port = free_port()
    endpoint = {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{port}"}
    env = {**endpoint, **SOON, "OTEL_EXPORTER_OTLP_TIMEOUT": "0.2"}
    with (
        running(served_on(folder, own_database, **env)) as served,
        Client(base_url=served.address) as client,
    ):
        session = client.declare()
        until(lambda: '"traces lost"' in served.err)
        with collecting(port) as collector:

            def is_back() -> bool:
                client.eliminate(session, "a", observation=str(len(served.err)))
                return '"traces back"' in served.err

            until(is_back)
            assert collector.spans()
            assert served.end() == 0
    events = [json.loads(line)["event"] for line in served.err.splitlines()]
    assert [event for event in events if event.startswith("traces")] == [
        "traces lost",
        "traces back",
    ]


def test_settings_that_do_not_fit_are_told_of(folder: Path, own_database: str) -> None:
    env = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1", "OTEL_BSP_MAX_QUEUE_SIZE": "1"}
    with (
        running(served_on(folder, own_database, **env)) as served,
        Client(base_url=served.address) as client,
    ):
        client.declare()
        assert served.end() == 0
    (told,) = [json.loads(line) for line in served.err.splitlines() if '"traces off"' in line]
    assert told["level"] == "error"
    assert "max_queue_size" in told["message"] or "max_export_batch_size" in told["message"]


# Run by every interpreter that finds it: it hides the extra, and tells what was imported.
SITE = """
import atexit, os, sys

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "opentelemetry":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

if os.environ.get("HIDDEN"):
    sys.meta_path.insert(0, Hidden())
imported = os.path.join(os.path.dirname(__file__), "imported")
atexit.register(lambda: open(imported, "w").write("\\n".join(sys.modules)))
"""


@pytest.mark.parametrize(
    ("env", "n_warnings"),
    [
        ({}, 0),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1", "OTEL_SDK_DISABLED": "true"}, 0),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://x", "OTEL_TRACES_EXPORTER": "none"}, 0),
        ({"HIDDEN": "1"}, 0),
        ({"HIDDEN": "1", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"}, 1),
    ],
    ids=["no endpoint", "disabled", "no exporter", "not installed", "not installed, but wanted"],
)
def test_without_traces_nothing_of_them_is_imported(
    folder: Path, own_database: str, env: dict[str, str], n_warnings: int
) -> None:
    (folder / "sitecustomize.py").write_text(SITE)
    found = os.pathsep.join([str(folder), str(ROOT)])
    with (
        running(served_on(folder, own_database, **env, PYTHONPATH=found)) as served,
        Client(base_url=served.address, headers={"traceparent": SAMPLED}) as client,
    ):
        client.eliminate(client.declare(), "a")
        assert served.end() == 0
    modules = (folder / "imported").read_text().split()
    assert "cmbs.api.shell.access" in modules
    assert not [name for name in modules if name.startswith(("opentelemetry", "requests"))]
    lines = [json.loads(line) for line in served.err.splitlines()]
    warnings = [line["message"] for line in lines if line["level"] == "warning"]
    assert len(warnings) == n_warnings, warnings
    assert all("install cmbs[otel]" in warning for warning in warnings)
    asked = [line for line in lines if line.get("verb") == "ELIMINATE"]
    assert [line["trace_id"] for line in asked] == [TRACE]
