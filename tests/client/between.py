"""What stands between a client and a server: a proxy that loses answers, and one that lies."""

import contextlib
import json
import math
import select
import socket
import socketserver
import ssl
import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx

from tests.support.servers import TLS


@contextlib.contextmanager
def _running(server: socketserver.TCPServer, tls: ssl.SSLContext | None = None) -> Iterator[str]:
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http{'s' * bool(tls)}://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join(30)
        server.server_close()


class _Threads(socketserver.ThreadingTCPServer):
    # A connection that is kept alive ends with its client, and need not be waited for.
    daemon_threads = True
    allow_reuse_address = True


@dataclass
class Cutter:
    """Cuts connections off: each number is of bytes that one answer may have, before its end."""

    address: str = ""
    cuts: deque[int] = field(default_factory=deque)
    n_cut: int = 0


@contextlib.contextmanager
def cutting(upstream: str) -> Iterator[Cutter]:
    """A TCP proxy. What the client sends is always forwarded."""
    cutter = Cutter()
    host, port = upstream.removeprefix("http://").split(":")

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            client, allowed = self.request, math.inf
            with (
                contextlib.suppress(OSError),
                socket.create_connection((host, int(port))) as server,
            ):
                while True:
                    for ready in select.select([client, server], [], [])[0]:
                        data = ready.recv(2**16)
                        if ready is server and cutter.cuts and allowed == math.inf:
                            allowed = cutter.cuts.popleft()
                        if ready is server and len(data) > allowed:
                            client.sendall(data[: int(allowed)])
                            cutter.n_cut += 1
                            return
                        if not data:
                            return
                        (server if ready is client else client).sendall(data)
                        allowed -= len(data) if ready is server else 0

    with _running(_Threads(("127.0.0.1", 0), Handler)) as address:
        cutter.address = address
        yield cutter


@dataclass
class Asked:
    """A request as the server in between got it."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Answered:
    status: int
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.body.splitlines()]


Lie = Callable[[Asked, Callable[[Asked], Answered]], Answered]


@dataclass
class Front:
    """Answers as its lie says, which may ask the server behind it."""

    address: str = ""
    lie: Lie | None = None
    asked: list[Asked] = field(default_factory=list)


@contextlib.contextmanager
def fronting(upstream: str = "", tls: ssl.SSLContext | None = None) -> Iterator[Front]:
    """An HTTP server; without a lie it passes on what the server behind it says."""
    front = Front()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            size = int(self.headers.get("content-length", 0))
            asked = Asked(self.command, self.path, dict(self.headers), self.rfile.read(size))
            front.asked.append(asked)
            told = front.lie(asked, self.behind) if front.lie else self.behind(asked)
            self.send_response(told.status)
            for name, value in {"Content-Type": "application/json", **told.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(told.body)))
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(told.body)
            self.close_connection = True

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer  # noqa: N815

        def behind(self, asked: Asked) -> Answered:
            kept = {
                name: value
                for name, value in asked.headers.items()
                if name.lower()
                in (
                    "content-type",
                    "accept",
                    "if-match",
                    "idempotency-key",
                    "prefer",
                    "authorization",
                )
            }
            told = http.request(
                asked.method, upstream + asked.path, headers=kept, content=asked.body
            )
            return Answered(told.status_code, told.content)

        def log_message(self, *told: object) -> None:
            """Tests say what went wrong."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: Any, client_address: Any) -> None:
            """A client may refuse what it is shown, and go."""

    server = Server(("127.0.0.1", 0), Handler)
    with httpx.Client(timeout=30, verify=TLS) as http, _running(server, tls) as address:
        front.address = address
        yield front
