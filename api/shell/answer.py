"""An answer on its way out: JSON as the database wrote it, packed if the caller unpacks gzip.

Litestar's own responses and its compression cost as much time as all else the shell does, because
they prepare for what a text from the database never needs (docs/decisions/0007).
"""

import asyncio
import gzip
import zlib
from collections.abc import AsyncIterator, Iterable
from typing import Any

import msgspec
from litestar.types import Receive, Send

Headers = Iterable[tuple[bytes, bytes]]

# Below it, packing costs more than it saves; above the other, others should not have to wait.
_WORTH_PACKING, _LONG = 1024, 64 * 1024
_LEVEL = 1
_JSON = b"application/json"


class Answer:
    """One text."""

    def __init__(
        self,
        body: bytes,
        status: int = 200,
        headers: Headers = (),
        kind: bytes = _JSON,
    ) -> None:
        self._body, self._status = spaced(body) if body and kind is _JSON else body, status
        self._headers = [*headers]
        # Neither "not modified" nor "no content" has any.
        if status not in (204, 304):
            self._headers.append((b"content-type", kind))

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        body, headers = self._body, self._headers
        if len(body) >= _WORTH_PACKING:
            headers.append((b"vary", b"Accept-Encoding"))
            if unpacks_gzip(scope):
                headers.append((b"content-encoding", b"gzip"))
                if len(body) > _LONG:
                    body = await asyncio.to_thread(gzip.compress, body, _LEVEL)
                else:
                    body = gzip.compress(body, _LEVEL)
        if self._status not in (204, 304):
            headers.append((b"content-length", b"%d" % len(body)))
        await send({"type": "http.response.start", "status": self._status, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})


def spaced(text: bytes) -> bytes:
    """JSON as records have it, with a space behind commas and colons: what a verb builds is spaced
    in three ways. Digits and escapes stay.
    """
    try:
        return msgspec.json.format(text, indent=0)
    except RecursionError:
        return text


class Stream:
    """A text that comes in parts."""

    def __init__(self, parts: AsyncIterator[bytes], headers: Headers, kind: bytes) -> None:
        self._parts = parts
        self._headers = [(b"content-type", kind), (b"vary", b"Accept-Encoding"), *headers]

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        packer = None
        if unpacks_gzip(scope):
            self._headers.append((b"content-encoding", b"gzip"))
            packer = zlib.compressobj(_LEVEL, wbits=31)
        start = {"type": "http.response.start", "status": 200, "headers": self._headers}
        await send(start)  # type: ignore[arg-type]
        # Whoever asks with HEAD, or has gone, reads nothing: nothing is read for them.
        reader = asyncio.create_task(until_gone(receive))
        try:
            async for part in self._parts:
                if packer:
                    # With a flush, so that a slow log reaches its reader event by event.
                    part = packer.compress(part) + packer.flush(zlib.Z_SYNC_FLUSH)
                await send({"type": "http.response.body", "body": part, "more_body": True})
                scope["state"]["is_gone"] = reader.done()
                if reader.done() or scope["state"]["method"] == "HEAD":
                    break
        finally:
            reader.cancel()
        rest = packer.flush() if packer else b""
        await send({"type": "http.response.body", "body": rest, "more_body": False})


async def until_gone(receive: Receive) -> None:
    """Returns when the caller has closed the connection."""
    while (await receive())["type"] != "http.disconnect":
        pass


def unpacks_gzip(scope: Any) -> bool:
    """Whether Accept-Encoding names gzip, and not to exclude it."""
    sent = b",".join(value for name, value in scope["headers"] if name == b"accept-encoding")
    if not sent:
        return False
    weights = {}
    for part in sent.decode("latin-1").lower().split(","):
        coding, *parameters = (piece.strip() for piece in part.split(";"))
        weight = next((p[2:].strip() for p in parameters if p.startswith("q=")), "1")
        weights[coding] = weight.strip("0.") != ""
    return weights.get("gzip", weights.get("x-gzip", weights.get("*", False)))
