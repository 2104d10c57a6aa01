"""How every failure is told: `{"error": {"code", "message", "details"}}` and a status."""

import logging
import traceback
from collections.abc import Iterable
from typing import Any
from uuid import UUID

import msgspec
import psycopg
import psycopg_pool
from litestar import Request, Response
from litestar.exceptions import HTTPException, LitestarException
from litestar.types import HTTPResponseBodyEvent, HTTPResponseStartEvent

from cmbs.api.shell import shedding
from cmbs.api.shell.answer import spaced
from cmbs.common.log import line
from cmbs.errors import SHELL_STATUS, BeliefError, HeadMismatch, classify

log = logging.getLogger("cmbs.api")

# For what no verb has found words for; the values belong into the details.
MESSAGES = {
    "INVALID_REQUEST": "The request is not valid. "
    "See details for the member and what is wrong with it; nothing was changed.",
    "PAYLOAD_TOO_LARGE": "The request is too large. Send less in one message; nothing was changed.",
    "UNAUTHENTICATED": "Who calls is not known. "
    "Show a token that is valid here; administrators make them.",
    "FORBIDDEN": "The server's login role may not do this. "
    "Give the server a login with the role cmbs_server.",
    "TOKEN_NOT_FOUND": "There is no such token. "
    "Take its id from the list of tokens; the beginning of a token is not its id.",
    "POLICY_NOT_FOUND": "There is no such version of a policy pack. "
    "List the packs and their versions, or publish one.",
    "INCIDENT_NOT_FOUND": "There is no such incident. Create it first, or check the id.",
    "SESSION_NOT_FOUND": "There is no such session. Declare it first, or check the id.",
    "CONFLICT": "The session does not exist, so it has no head that could match. "
    "Declare it without If-Match.",
    "NOT_FOUND": "There is nothing at this path. See /schema for what there is.",
    "METHOD_NOT_ALLOWED": "This path does not take this method. "
    "The header Allow names those it takes.",
    "UNSUPPORTED_MEDIA_TYPE": "The body is of a kind that is not read here. "
    "Send application/json in UTF-8, as it is or compressed with gzip.",
    "RATE_LIMITED": "There are more requests than the server takes. "
    "Try again after the time that Retry-After names.",
    "UNAVAILABLE": "The database cannot answer now. Try again after the time that Retry-After "
    "names; repeating a message with an identity is safe.",
    "INTERNAL": "The server failed. Its log says more under the request id in details.",
}
# What a caller can do nothing about; the cause is for the log.
_OF_OPERATORS = ("UNAVAILABLE", "FORBIDDEN")
# In whole seconds, and after one of them the slowest of rates lets a request in again.
_RETRY_AFTER = {"UNAVAILABLE": "1", "RATE_LIMITED": "1"}
# Of what the shell itself forbids, in the words of the kernel.
_FORBIDDEN = "The caller may not do this. See details for the reason, and ask an administrator."


class RequestRefused(Exception):
    """The request is wrong in itself; no verb was called."""

    def __init__(
        self,
        code: str,
        status: int,
        details: dict[str, Any] | None = None,
        shed: str | None = None,
    ) -> None:
        """`shed`: why it is not worked off, where that is not the fault of the request."""
        super().__init__(code)
        self.code, self.status, self.details, self.shed = code, status, details, shed
        self.message = _FORBIDDEN if code == "FORBIDDEN" else MESSAGES[code]


def invalid(member: str | None, problem: str) -> RequestRefused:
    details = {"member": member, "problem": problem} if member else {"problem": problem}
    return RequestRefused("INVALID_REQUEST", 400, details)


def head_mismatch(expected: UUID) -> RequestRefused:
    """There is no head yet that could be the expected one."""
    details = {"expected_head": str(expected), "audit_head_event_id": None}
    return RequestRefused("CONFLICT", HeadMismatch.status, details)


def too_large(limit: int) -> RequestRefused:
    return RequestRefused(
        "PAYLOAD_TOO_LARGE", 413, {"member": "body", "limit": f"{limit // 2**20} MiB"}
    )


def body(code: str, message: str, details: dict[str, Any] | None) -> bytes:
    error = {"code": code, "message": message, "details": details}
    return spaced(msgspec.json.encode({"error": error}))


def allow(methods: Iterable[str]) -> str:
    """The header Allow; what takes GET takes HEAD."""
    found = set(methods)
    return ", ".join(sorted(found | {"HEAD"} if "GET" in found else found))


def unavailable() -> tuple[HTTPResponseStartEvent, HTTPResponseBodyEvent]:
    """The answer where no request is left to make one of."""
    text = body("UNAVAILABLE", MESSAGES["UNAVAILABLE"], None)
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(text)),
        (b"retry-after", _RETRY_AFTER["UNAVAILABLE"].encode()),
    ]
    return (
        {"type": "http.response.start", "status": 503, "headers": headers},
        {"type": "http.response.body", "body": text, "more_body": False},
    )


def not_in_universe(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """Of a path, an unknown hypothesis is what is not found."""
    answer = response(request, error)
    answer.status_code = 404
    return answer


def response(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """The answer to a request that ended with this exception."""
    status, text, headers = answer_to(request.scope, error)
    return Response(text, status_code=status, media_type="application/json", headers=headers)


def answer_to(scope: Any, error: Exception) -> tuple[int, bytes, dict[str, str]]:
    """Status, body and headers that tell a request what it ended with."""
    headers: dict[str, str] = {}
    if isinstance(error, psycopg.Error):
        scope["state"]["sqlstate"] = error.sqlstate
    match error:
        case RequestRefused():
            code, status, message, details = error.code, error.status, error.message, error.details
        case BeliefError():
            code, status = classify(error)
            message, details = error.message, error.details
        case psycopg_pool.TooManyRequests():
            code, details = "RATE_LIMITED", None
            status, message = SHELL_STATUS[code], MESSAGES[code]
        case psycopg.Error():
            code, status = classify(error)
            message, details = MESSAGES[code], None
            if code == "INVALID_REQUEST":
                details = {"problem": "holds a value that cannot be stored"}
        case HTTPException():
            code, status = _of_framework(error.status_code)
            message, details = MESSAGES[code], None
            if methods := (error.headers or {}).get("allow"):
                headers = {"Allow": allow(methods.split(", "))}
        case _:
            code, status, message, details = "INTERNAL", 500, MESSAGES["INTERNAL"], None
    state = scope["state"]
    state["refused"], request_id = code, state["request_id"]
    if status in shedding.STATUSES:
        state["shed"] = shedding.reason_of(error)
    if code == "INTERNAL":
        details = {"request_id": request_id}
    if code == "INTERNAL" or (
        isinstance(error, psycopg.Error)
        and code in _OF_OPERATORS
        and not isinstance(error, BeliefError)
    ):
        record(scope, error)
    if status == 408:
        # What is still to come of the body would be taken for the next request.
        headers["Connection"] = "close"
    if code in _RETRY_AFTER:
        headers["Retry-After"] = _RETRY_AFTER[code]
    if code == "UNAUTHENTICATED":
        has_shown = any(name == b"authorization" for name, _ in scope["headers"])
        headers["WWW-Authenticate"] = "Bearer" + ' error="invalid_token"' * has_shown
    return status, body(code, message, details), headers


def _of_framework(status: int) -> tuple[str, int]:
    for code, known in (*SHELL_STATUS.items(), ("PAYLOAD_TOO_LARGE", 413)):
        if status == known:
            return code, status
    return ("INTERNAL", 500) if status >= 500 else ("INVALID_REQUEST", 400)


def record(scope: Any, error: BaseException) -> None:
    """What an operator needs to find the cause; the values of the request are nobody's."""
    error, state = _cause(error), scope["state"]
    state["error"] = type(error).__name__
    primary = error.diag.message_primary if isinstance(error, psycopg.Error) else None
    frames = traceback.extract_tb(error.__traceback__)
    log.error(
        line(
            "failure",
            "error",
            request_id=state["request_id"],
            error=state["error"],
            sqlstate=getattr(error, "sqlstate", None),
            message=primary,
            where=[f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
            **state["trace"],
        )
    )


def _cause(error: BaseException) -> BaseException:
    """What was raised first, inside of what the framework has wrapped around it."""
    while isinstance(error, BaseExceptionGroup | LitestarException):
        inner = error.exceptions[0] if isinstance(error, BaseExceptionGroup) else error.__cause__
        if inner is None:
            break
        error = inner
    return error
