"""A collector of traces: it takes what OTLP exporters send over HTTP, and keeps it."""

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from tests.support.servers import until

SERVER, CLIENT = Span.SPAN_KIND_SERVER, Span.SPAN_KIND_CLIENT
ERROR = Status.STATUS_CODE_ERROR


@dataclass
class Collector:
    """What has arrived. While it hangs, it takes requests and answers none."""

    address: str = ""

    def __post_init__(self) -> None:
        self.bodies: list[bytes] = []
        self.answers = threading.Event()
        self.answers.set()

    def requests(self) -> list[ExportTraceServiceRequest]:
        return [ExportTraceServiceRequest.FromString(body) for body in [*self.bodies]]

    def spans(self) -> list[Span]:
        return [
            span
            for request in self.requests()
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]

    def resources(self) -> list[dict[str, Any]]:
        found = [of.resource for request in self.requests() for of in request.resource_spans]
        return [attributes(resource) for resource in found]

    def trace(self, trace_id: str) -> list[Span]:
        """The spans of a trace, once its request has ended; the request is first."""

        def found() -> list[Span]:
            return [span for span in self.spans() if span.trace_id.hex() == trace_id]

        until(lambda: any(span.kind == SERVER for span in found()))
        return sorted(found(), key=lambda span: span.kind != SERVER)


def attributes(of: Any) -> dict[str, Any]:
    """Of a span or a resource."""
    return {one.key: getattr(one.value, one.value.WhichOneof("value")) for one in of.attributes}


@contextlib.contextmanager
def collecting(port: int = 0) -> Iterator[Collector]:
    collector = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            assert self.path == "/v1/traces"
            assert self.headers["content-type"] == "application/x-protobuf"
            collector.bodies.append(body)
            collector.answers.wait()
            answer = ExportTraceServiceResponse().SerializeToString()
            # A sender that was hung up on may be gone.
            with contextlib.suppress(OSError):
                self.send_response(200)
                self.send_header("content-type", "application/x-protobuf")
                self.send_header("content-length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            """Nothing on stderr."""

    with ThreadingHTTPServer(("127.0.0.1", port), Handler) as server:
        server.daemon_threads = True
        collector.address = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=[0.05])
        thread.start()
        try:
            yield collector
        finally:
            collector.answers.set()
            server.shutdown()
            thread.join()
