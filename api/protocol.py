"""HTTP/1.1 as uvicorn speaks it, with our errors for what never reaches the application."""

from uuid import uuid4

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from . import refusals

# A head is names, ids and tags; uvicorn itself would take any amount.
_LONGEST_HEAD = 64 * 1024


class Protocol(HttpToolsProtocol):
    """One connection."""

    _head_bytes: int | None = 0

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head_bytes = 0

    def on_headers_complete(self) -> None:
        self._head_bytes = None
        super().on_headers_complete()

    def data_received(self, data: bytes) -> None:
        if self._head_bytes is not None:
            self._head_bytes += len(data)
        super().data_received(data)
        if self._head_bytes is not None and self._head_bytes > _LONGEST_HEAD:
            self._refuse("head", f"may have {_LONGEST_HEAD // 1024} KiB")

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
        self._refuse("request", "is not HTTP/1.1")

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
