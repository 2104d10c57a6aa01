"""What surrounds every request, also those that match no route: its id, its path, one log line."""

import asyncio
import itertools
import logging
import re
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from litestar.types import ASGIApp, Message, Receive, Send

from cmbs.api.shell import refusals
from cmbs.api.shell.admission import Admission
from cmbs.api.shell.answer import Answer
from cmbs.api.shell.body_limits import Memory
from cmbs.api.shell.headers import as_uuid
from cmbs.api.shell.metrics import Counters
from cmbs.api.shell.safety import safe
from cmbs.api.shell.traceparent import parent_of
from cmbs.api.shell.waiting import Gone
from cmbs.common.log import line

if TYPE_CHECKING:
    from cmbs.api.shell.traces import Spans

log = logging.getLogger("cmbs.access")

_REQUEST_ID = re.compile(rb"[\x21-\x7e]{1,128}")
# An id in a path may hold slashes, encoded or not; those of the first kind are the rule.
_WITH_SLASHES = (
    re.compile(rb"(/v1/sessions/[^/]+/hypotheses/)(.+)()"),
    re.compile(rb"(/v1/sessions/[^/]+/obligations/)(.+)(/(?:exit|waive))"),
    re.compile(rb"(/v1/sessions/[^/]+/claims/)(.+)(/(?:promote|confirm))"),
    re.compile(rb"(/v1/(?:tools|schemas)/)(.+)()"),
    re.compile(rb"(/v1/principals/)(.+)(/tokens)"),
    re.compile(rb"(/v1/principals/)(.+)()"),
)


class Access:
    """Wraps the application, because its own middleware sees only what has a route."""

    def __init__(
        self,
        app: ASGIApp,
        admission: Admission,
        room: Memory,
        counters: Counters,
        spans: "Spans | None" = None,
    ) -> None:
        self._app, self._admission, self._room = app, admission, room
        self._counters, self._spans = counters, spans
        self._process = str(uuid4())[:24]
        self._counted = itertools.count(1)

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        asked = next((value for name, value in scope["headers"] if name == b"x-request-id"), b"")
        request_id = asked.decode() if _REQUEST_ID.fullmatch(asked) else self._new_id()
        scope["state"]["request_id"] = request_id
        scope["state"]["method"] = scope["method"]
        parent = parent_of(scope["headers"])
        scope["state"]["trace"] = {"trace_id": parent.trace_id} if parent else {}
        span = self._spans.begin(scope, parent) if self._spans else None
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
                    *safe(message["headers"], scope["scheme"]),
                    (b"x-request-id", request_id.encode()),
                ]
            await send(message)

        try:
            await self._admission.admit(scope)
            await self._app(scope, receive, answer)
        except Gone:
            # As others log it, too.
            status = status or 499
        except asyncio.CancelledError:
            # The server ends and waits no longer. Half an answer is cut off by its protocol.
            if not status:
                scope["state"] |= {"refused": "UNAVAILABLE", "shed": "shutting_down"}
                for message in refusals.unavailable():
                    await answer(message)
        except Exception as error:
            if status:
                # The answer has begun, and ends too early to be taken for a whole one. Raised
                # further, the error would be logged with all that it says.
                refusals.record(scope, error)
            else:
                answered, text, headers = refusals.answer_to(scope, error)
                fields = [(name.lower().encode(), of.encode()) for name, of in headers.items()]
                await Answer(text, answered, fields)(scope, receive, answer)
        finally:
            if taken := scope["state"].get("room"):
                self._room.give_back(taken)
            seconds = time.perf_counter() - began
            verb = _verb(scope)
            _record(scope, verb, request_id, status, seconds)
            if span:
                span.end(scope, status)
            # A disk that is full is no reason to fail, nor not to say so.
            with suppress(OSError):
                self._count(scope, verb, status, seconds)

    def _count(self, scope: Any, verb: str | None, status: int, seconds: float) -> None:
        counters, state = self._counters, scope["state"]
        counters.request(state["method"], scope.get("path_template"), verb, status, seconds)
        if refused := state.get("refused"):
            counters.verdict(verb, "refused", refused)
            if shed := state.get("shed"):
                counters.shed(shed, state["class"])
        elif decided := state.get("decided"):
            counters.verdict(verb, *decided)

    def _new_id(self) -> str:
        """A uuid whose last part counts: a random one for each would take ten times as long."""
        return f"{self._process}{next(self._counted):012x}"


def _routed(raw: bytes) -> str:
    """The path as the routes see it: still encoded, so that a slash in an id parts nothing."""
    raw = b"/" + raw.lstrip(b"/")
    for pattern in _WITH_SLASHES:
        if found := pattern.fullmatch(raw):
            raw = found[1] + found[2].replace(b"/", b"%2F") + found[3]
            break
    return raw.decode("latin-1")


def _verb(scope: Any) -> str | None:
    handler = scope.get("route_handler")
    return handler.opt.get("verb") if handler else None


def _record(scope: Any, verb: str | None, request_id: str, status: int, seconds: float) -> None:
    """One line of JSON; a path or a body may hold what is nobody's business."""
    if not log.isEnabledFor(logging.INFO):
        return
    session = as_uuid(scope.get("path_params", {}).get("session_id", ""))
    caller = scope["state"].get("caller")
    client = scope["client"]
    text = line(
        "request",
        request_id=request_id,
        client=client[0] if client else None,
        method=scope["state"]["method"],
        route=scope.get("path_template"),
        verb=verb,
        session_id=session or scope["state"].get("session_id"),
        principal=caller.name if caller else None,
        tenant=caller.tenant if caller else None,
        status=status,
        sqlstate=scope["state"].get("sqlstate"),
        shed=scope["state"].get("shed"),
        **{"class": scope["state"].get("class")},
        ms=round(seconds * 1000, 1),
        **scope["state"]["trace"],
    )
    # Who logged it is known; asking the stack would take longer than all the rest.
    log.handle(log.makeRecord(log.name, logging.INFO, __file__, 0, text, (), None))
