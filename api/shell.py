"""What surrounds every request, also those that match no route: its id, its path, one log line."""

import logging
import re
import time
from typing import Any
from uuid import uuid4

import msgspec
from litestar.types import ASGIApp, Message, Receive, Send

from . import refusals
from .headers import accepts_gzip, as_uuid

log = logging.getLogger("cmbs.access")

_REQUEST_ID = re.compile(r"[\x21-\x7e]{1,128}")
# An id in a path may hold slashes, encoded or not; those of the first kind are the rule.
_WITH_SLASHES = (
    re.compile(rb"(/v1/sessions/[^/]+/hypotheses/)(.+)()"),
    re.compile(rb"(/v1/sessions/[^/]+/obligations/)(.+)(/(?:exit|waive))"),
)


class Shell:
    """Wraps the application, because its own middleware sees only what has a route."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        headers = dict(scope["headers"])
        asked = headers.get(b"x-request-id", b"").decode("latin-1")
        request_id = asked if _REQUEST_ID.fullmatch(asked) else str(uuid4())
        scope["state"]["request_id"] = request_id
        if b"accept-encoding" in headers:
            scope["headers"] = _with_coding(scope["headers"])
        scope["path"] = _routed(scope.get("raw_path") or scope["path"].encode())
        if scope["method"] == "HEAD":
            # Answered like GET; uvicorn, which sees its own scope, sends no body.
            scope = {**scope, "method": "GET"}
        status = 0

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [
                    *message["headers"],
                    (b"x-request-id", request_id.encode()),
                ]
            await send(message)

        try:
            await self._app(scope, receive, answer)
        except Exception as error:
            # The answer has begun, and ends too early to be taken for a whole one. Raised further,
            # the error would be logged with all that it says.
            refusals.record(request_id, error)
        finally:
            _record(scope, request_id, status, time.perf_counter() - began)


def _routed(raw: bytes) -> str:
    """The path as the routes see it: still encoded, so that a slash in an id parts nothing."""
    raw = b"/" + raw.lstrip(b"/")
    for pattern in _WITH_SLASHES:
        if found := pattern.fullmatch(raw):
            raw = found[1] + found[2].replace(b"/", b"%2F") + found[3]
    return raw.decode("latin-1")


def _with_coding(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """The headers as the framework understands them, which looks for the word gzip alone."""
    sent = b",".join(value for name, value in headers if name == b"accept-encoding")
    others = [header for header in headers if header[0] != b"accept-encoding"]
    if accepts_gzip(sent.decode("latin-1")):
        others.append((b"accept-encoding", b"gzip"))
    return others


def _record(scope: Any, request_id: str, status: int, seconds: float) -> None:
    """One line of JSON; a path or a body may hold what is nobody's business."""
    handler = scope.get("route_handler")
    session = as_uuid(scope.get("path_params", {}).get("session_id", ""))
    log.info(
        msgspec.json.encode(
            {
                "request_id": request_id,
                "method": scope["method"],
                "route": scope.get("path_template"),
                "verb": handler.opt.get("verb") if handler else None,
                "session_id": session or scope["state"].get("session_id"),
                "status": status,
                "ms": round(seconds * 1000, 1),
            }
        ).decode()
    )
