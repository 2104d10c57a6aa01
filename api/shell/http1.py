"""HTTP/1.1 as uvicorn speaks it, with our errors for what never reaches the application."""

import asyncio
from typing import Any
from uuid import uuid4

import httptools
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from cmbs.api.shell import refusals
from cmbs.api.shell.safety import safe

# A head is names, ids and tags; uvicorn itself would take any amount.
_LONGEST_HEAD = 64 * 1024

# A provisional answer, which every caller of HTTP/1.1 passes over.
_WAIT_ON = b"HTTP/1.1 102 Processing\r\n\r\n"
_PROBED_AFTER = 0.2

_NOT_HTTP = ("request", "is not HTTP/1.1")
_LONG_HEAD = ("head", f"may have {_LONGEST_HEAD // 1024} KiB")


class _Joined:
    """A transport that sends what is written within one turn of the event loop in one piece.

    The head and the body of an answer would else be two system calls, and wake the caller twice.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop = transport, loop
        self._written: list[bytes] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        if not self._written:
            self._loop.call_soon(self._flush)
        self._written.append(data)

    def close(self) -> None:
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        written, self._written = self._written, []
        if written and not self._transport.is_closing():
            self._transport.writelines(written)


class Http1(HttpToolsProtocol):
    """One connection."""

    _in_head = False
    # Whether the last bytes told anything, and how many before them did not: those of a head, of
    # what follows a body in chunks, or of what may stand beside the size of a chunk.
    _has_progress, _pending = False, 0
    _fault = _NOT_HTTP
    # The head of a request that asks for an upgrade, without what asks for it.
    _plain_head: bytes | None = None
    _running: Any = None
    # For how many seconds a head may be on its way; who says nothing at all would stay for ever.
    patience = 20.0
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._hurry = asyncio.Event()
        # Every request finds it in its scope; see waiting.py.
        self.app_state = {**self.app_state, "hurry": self._hurry}
        super().connection_made(_Joined(transport, self.loop))  # type: ignore[arg-type]
        self._deadline = self.loop.call_later(self.patience, self._give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_deadline()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """The server stops: who waits for news gets what there is."""
        self._hurry.set()
        super().shutdown()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head = self._has_progress = True

    def on_header(self, name: bytes, value: bytes) -> None:
        # Behind a body in chunks there may be more, which is not part of the head.
        if self._in_head:
            super().on_header(name, value)

    def on_body(self, body: bytes) -> None:
        self._has_progress = True
        super().on_body(body)

    def on_headers_complete(self) -> None:
        self._in_head, self._has_progress = False, True
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if size > _LONGEST_HEAD:
            self._fault = _LONG_HEAD
        if self._fault is not _NOT_HTTP or self.parser.get_method() == b"CONNECT":
            raise ValueError(self._fault)
        if self.parser.should_upgrade():
            self._plain_head = self._without_upgrade()
        else:
            super().on_headers_complete()

    def on_message_complete(self) -> None:
        if self._plain_head is None:
            super().on_message_complete()

    def data_received(self, data: bytes) -> None:
        self._has_progress = False
        self._feed(data)
        if not self._in_head:
            self._end_deadline()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(self.patience, self._give_up)
        self._pending = 0 if self._has_progress else self._pending + len(data)
        if self._pending > _LONGEST_HEAD and not self.transport.is_closing():
            self._refuse(*_LONG_HEAD)

    def _end_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self._deadline = None
        if not self.transport.is_closing():
            self._refuse("head", f"must come within {self.patience:g} seconds")

    def _feed(self, data: bytes) -> None:
        self._unset_keepalive_if_required()
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            # Nothing is spoken here but HTTP/1.1, and a server may pass over what it is asked to
            # upgrade to. The parser takes all that follows for the other protocol.
            head, self._plain_head = self._plain_head or b"", None
            self.parser = httptools.HttpRequestParser(self)
            self._feed(head + data[upgrade.args[0] :])
        except httptools.HttpParserError:
            self._refuse(*self._fault)

    def _without_upgrade(self) -> bytes:
        lines = [b"%s %s HTTP/1.1" % (self.parser.get_method(), self.url)]
        lines += [b"%s: %s" % field for field in self.headers if field[0] != b"upgrade"]
        return b"\r\n".join(lines) + b"\r\n\r\n"

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self._running = cycle
        super()._start_asgi_task(cycle, app)

    def eof_received(self) -> bool:  # type: ignore[override]
        """The caller sends no more, and may still wait for an answer; over TLS it cannot.

        Whether it has gone is not to be known: it gets its answer, and waits for news no longer.
        """
        self._hurry.set()
        if self.scheme == "https":
            return False
        cycle = self.cycle
        if cycle is None or cycle.response_complete:
            return False
        if cycle.more_body:
            return self._refuse("body", "was cut off")
        cycle.keep_alive = False
        self._probe(cycle)
        return True

    def _probe(self, cycle: Any) -> None:
        """Find out whether somebody is there who waits for what takes long.

        Who closed the connection and who only sends no more look the same until something is sent.
        """
        if self.transport.is_closing() or cycle.response_complete or cycle.disconnected:
            return
        if (
            cycle.scope["state"].get("is_long")
            and not cycle.response_started
            and self.scope["http_version"] == "1.1"
        ):
            self.transport.write(_WAIT_ON)
        self.loop.call_later(_PROBED_AFTER, self._probe, cycle)

    def _refuse(self, member: str, problem: str) -> bool:
        """End the connection, and say why; whether another answer is to go out before."""
        cycle, running = self.cycle, self._running
        if cycle is not None and cycle.more_body:
            # Nothing is done with half a message.
            cycle.disconnected = True
            cycle.message_event.set()
        if running and not running.response_complete and not running.more_body:
            # The caller waits for this answer, and would take the refusal for it.
            running.keep_alive = False
            self.pipeline.clear()
            self.transport.pause_reading()
            return True
        refusal = refusals.invalid(member, problem)
        body = refusals.body(refusal.code, refusal.message, refusal.details)
        headers = safe(
            [
                (b"content-type", b"application/json"),
                (b"content-length", b"%d" % len(body)),
                (b"x-request-id", str(uuid4()).encode()),
                (b"connection", b"close"),
            ],
            self.scheme or "http",
        )
        head = b"".join(b"%s: %s\r\n" % field for field in headers)
        self.transport.write(STATUS_LINE[refusal.status] + head + b"\r\n" + body)
        self.transport.close()
        return False
