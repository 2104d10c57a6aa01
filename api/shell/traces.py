"""What spans say: one of each request, and one of each verb that it calls (docs/traces.md).

Only `tracing.py` imports this module, because it loads OpenTelemetry.
"""

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import msgspec
import psycopg
import psycopg_pool
from msgspec import UNSET, Struct, UnsetType
from opentelemetry.context import Context, attach, detach
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.trace import (
    NonRecordingSpan,
    Span,
    SpanContext,
    SpanKind,
    StatusCode,
    TraceFlags,
    Tracer,
    TraceState,
    get_current_span,
    set_span_in_context,
)

from cmbs import __version__
from cmbs.api.shell.traceparent import Parent
from cmbs.api.shell.verdicts import Decided
from cmbs.common.log import line
from cmbs.database.pool import LONG, Database
from cmbs.errors import BeliefError, classify

log = logging.getLogger("cmbs.process")

# The end of a server waits so many seconds for a collector to take the last spans.
_PATIENCE = 2.0
# A method that is not one of these is a caller's text.
_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"}
_WATCHING = ("/healthz", "/readyz", "/metrics")
# A longer answer is not looked into: that would take longer than the rest of its span.
_LONGEST = 256 * 1024
# An event id ends in the number of its event.
_SEQ = 2**48 - 1


class Spans:
    """The spans of one process."""

    def __init__(self) -> None:
        self._provider = TracerProvider(resource=_resource(), shutdown_on_exit=False)
        self._tracer = self._provider.get_tracer("cmbs", __version__)

    @asynccontextmanager
    async def sent(self) -> AsyncIterator[None]:
        """Send spans to the collector; at the end, what is left, unless that takes too long."""
        try:
            exporter = _Watched(OTLPSpanExporter())
            self._provider.add_span_processor(BatchSpanProcessor(exporter))
        except ValueError as error:
            log.error(line("traces off", "error", message=str(error)))
        try:
            yield
        finally:
            # A daemon, which a process does not wait for when it ends.
            ending = threading.Thread(target=self._provider.shutdown, daemon=True)
            ending.start()
            await asyncio.to_thread(ending.join, _PATIENCE)

    def database(self, *given: Any) -> Database:
        """A database whose verbs have spans."""
        return _TracedDatabase(self._tracer, *given)

    def begin(self, scope: Any, parent: Parent | None) -> "RequestSpan | None":
        """The span of a request; of what watches a server there is none, or it would be most."""
        if scope["path"] in _WATCHING:
            return None
        return RequestSpan(self._tracer, scope, parent)


class RequestSpan:
    """The span of a request, which is the parent of all spans until it ends."""

    def __init__(self, tracer: Tracer, scope: Any, parent: Parent | None) -> None:
        sent = scope["state"]["method"]
        self._method = sent if sent in _METHODS else "HTTP"
        context = _context(scope, parent)
        self._span = tracer.start_span(
            self._method, context, SpanKind.SERVER, dict(_of_request(scope, self._method))
        )
        self._token = attach(set_span_in_context(self._span, context))
        if self._span.is_recording():
            scope["state"]["trace"] = _ids(self._span.get_span_context())

    def end(self, scope: Any, status: int) -> None:
        detach(self._token)
        state, span = scope["state"], self._span
        if route := scope.get("path_template"):
            span.update_name(f"{self._method} {route}")
            span.set_attribute("http.route", route)
        span.set_attribute("http.response.status_code", status)
        if state.get("is_gone"):
            span.set_attribute("cmbs.cancelled", True)
        # What was recorded after a good status is an answer that was cut off.
        if status >= 500 or (status < 400 and "error" in state):
            span.set_status(StatusCode.ERROR)
            span.set_attribute("error.type", state.get("error", str(status)))
        span.end()


class _TracedDatabase(Database):
    """Each verb that is called within a request has a span."""

    def __init__(self, tracer: Tracer, *given: Any) -> None:
        super().__init__(*given)
        self._tracer = tracer

    async def rows(self, verb: str, **arguments: object) -> list[bytes]:
        if not get_current_span().is_recording():
            return await super().rows(verb, **arguments)
        told = {"db.system.name": "postgresql", "cmbs.verb": verb}
        if isinstance(session := arguments.get("session_id"), UUID):
            told["cmbs.session"] = str(session)
        span = self._tracer.start_span(verb, kind=SpanKind.CLIENT, attributes=told)
        try:
            rows = await super().rows(verb, **arguments)
            if verb not in LONG and len(rows) == 1:
                span.set_attributes(_of_answer(rows[0]))
            return rows
        except BaseException as error:
            _tell_failure(span, error)
            raise
        finally:
            span.end()


class _Watched(SpanExporter):
    """Logs when the collector is lost and when it is back, once each."""

    def __init__(self, exporter: SpanExporter) -> None:
        self._exporter = exporter
        self._is_lost = False

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        result = self._exporter.export(spans)
        is_lost = result is not SpanExportResult.SUCCESS
        if is_lost != self._is_lost:
            self._is_lost = is_lost
            log.warning(line(f"traces {'lost' if is_lost else 'back'}", "warning"))
        return result

    def shutdown(self) -> None:
        self._exporter.shutdown()


class _Head(Struct):
    audit_head_event_id: UUID
    audit_head_hash: str


class _Answer(Decided):
    """What a span takes from an answer; everything else is skipped."""

    audit_event_id: UUID | UnsetType | None = UNSET
    snapshot: _Head | None = None


_ANSWER = msgspec.json.Decoder(_Answer)


def _of_answer(text: bytes) -> dict[str, str | int]:
    """The verdict and the event of a verb that tells a session something."""
    try:
        answer = _ANSWER.decode(text) if len(text) <= _LONGEST else _Answer()
    except (msgspec.DecodeError, RecursionError):
        return {}
    event, told = answer.audit_event_id, dict[str, str | int]()
    if event is UNSET:
        return told
    if answer.verdict:
        told["cmbs.verdict"], told["cmbs.reason"] = answer.verdict
    if event:
        told["cmbs.seq"] = event.int & _SEQ
        if answer.snapshot and answer.snapshot.audit_head_event_id == event:
            told["cmbs.event_hash"] = answer.snapshot.audit_head_hash
    return told


def _tell_failure(span: Span, error: BaseException) -> None:
    """Why there is no answer, without any text: that may be a caller's."""
    if isinstance(error, asyncio.CancelledError):
        span.set_attribute("cmbs.cancelled", True)
        return
    if sqlstate := getattr(error, "sqlstate", None):
        span.set_attribute("db.response.status_code", sqlstate)
    if isinstance(error, BeliefError):
        span.set_attributes({"cmbs.verdict": "refused", "cmbs.reason": error.code})
    if _status(error) >= 500:
        span.set_status(StatusCode.ERROR)
        span.set_attribute("error.type", type(error).__name__)


def _status(error: BaseException) -> int:
    if isinstance(error, psycopg_pool.TooManyRequests):
        return 429
    return classify(error)[1] if isinstance(error, psycopg.Error) else 500


def _of_request(scope: Any, method: str) -> dict[str, str | int]:
    """What is known of a request before it has a route; nothing that its caller could choose."""
    told: dict[str, str | int] = {
        "http.request.method": method if method in _METHODS else "_OTHER",
        "url.scheme": scope["scheme"],
    }
    if server := scope.get("server"):
        told["server.address"] = server[0]
        if server[1]:
            told["server.port"] = server[1]
    return told


def _context(scope: Any, parent: Parent | None) -> Context:
    if parent is None:
        return Context()
    states = [value.decode("latin-1") for name, value in scope["headers"] if name == b"tracestate"]
    caller = SpanContext(
        int(parent.trace_id, 16),
        int(parent.span_id, 16),
        is_remote=True,
        trace_flags=TraceFlags(parent.is_sampled),
        trace_state=TraceState.from_header(states),
    )
    return set_span_in_context(NonRecordingSpan(caller), Context())


def _ids(context: SpanContext) -> dict[str, str]:
    return {"trace_id": f"{context.trace_id:032x}", "span_id": f"{context.span_id:016x}"}


def _resource() -> Resource:
    """The server as operators name it, by OTEL_SERVICE_NAME or OTEL_RESOURCE_ATTRIBUTES."""
    found = Resource.create()
    ours = {SERVICE_VERSION: __version__}
    if str(found.attributes[SERVICE_NAME]).startswith("unknown_service"):
        return found.merge(Resource({SERVICE_NAME: "cmbs"} | ours))
    return Resource(ours).merge(found)
