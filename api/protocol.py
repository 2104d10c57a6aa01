"""HTTP/1.1 as uvicorn speaks it, with our errors for what never reaches the application."""

import asyncio
from typing import Any
from uuid import uuid4

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from . import refusals

# A head is names, ids and tags; uvicorn itself would take any amount.
_LONGEST_HEAD = 64 * 1024

_NOT_HTTP = ("request", "is not HTTP/1.1")
_LONG_HEAD = ("head", f"may have {_LONGEST_HEAD // 1024} KiB")
_UPGRADE = ("Upgrade", "must not be asked for with a body")


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


class Protocol(HttpToolsProtocol):
    """One connection."""

    _in_head = False
    # Whether the last bytes told anything, and how many before them did not: those of a head, of
    # what follows a body in chunks, or of what may stand beside the size of a chunk.
    _has_told, _pending = False, 0
    _fault = _NOT_HTTP

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(_Joined(transport, self.loop))  # type: ignore[arg-type]

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head = self._has_told = True

    def on_header(self, name: bytes, value: bytes) -> None:
        # Behind a body in chunks there may be more, which is not part of the head.
        if self._in_head:
            super().on_header(name, value)

    def on_body(self, body: bytes) -> None:
        self._has_told = True
        super().on_body(body)

    def on_headers_complete(self) -> None:
        self._in_head, self._has_told = False, True
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if size > _LONGEST_HEAD:
            self._fault = _LONG_HEAD
        elif self.parser.should_upgrade() and any(map(_is_of_body, self.headers)):
            # The parser would take the body for what follows the upgrade.
            self._fault = _UPGRADE
        if self._fault is not _NOT_HTTP:
            raise ValueError(self._fault)
        super().on_headers_complete()
        if self.parser.should_upgrade():
            self.cycle.keep_alive = False

    def data_received(self, data: bytes) -> None:
        self._has_told = False
        super().data_received(data)
        self._pending = 0 if self._has_told else self._pending + len(data)
        if self._pending > _LONGEST_HEAD:
            self._refuse(*_LONG_HEAD)

    def eof_received(self) -> bool:  # type: ignore[override]
        """The caller sends no more, and may still wait for an answer."""
        cycle = self.cycle
        if cycle is None or cycle.response_complete:
            return False
        if cycle.more_body:
            # Nothing is done with half a message.
            cycle.disconnected = True
            cycle.message_event.set()
            self._refuse("body", "was cut off")
            return False
        cycle.keep_alive = False
        return True

    def send_400_response(self, msg: str) -> None:
        self._refuse(*self._fault)

    def _refuse(self, member: str, problem: str) -> None:
        refusal = refusals.invalid(member, problem)
        body = refusals.body(refusal.code, refusal.message, refusal.details)
        self.transport.write(
            b"".join(
                [
                    STATUS_LINE[refusal.status],
                    b"content-type: application/json\r\n",
                    b"content-length: %d\r\n" % len(body),
                    b"x-request-id: %s\r\n" % str(uuid4()).encode(),
                    b"connection: close\r\n\r\n",
                    body,
                ]
            )
        )
        self.transport.close()


def _is_of_body(header: tuple[bytes, bytes]) -> bool:
    name, value = header
    return name == b"transfer-encoding" or (name == b"content-length" and value.strip(b"0") != b"")
