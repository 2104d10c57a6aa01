"""Every error the server answers: API code, HTTP status, SQLSTATEs, and the class that arrives.

psycopg raises the class registered for a SQLSTATE, so a caller catches `SessionNotFound` and not a
message text. Through SQLAlchemy it arrives as `.orig`. The HTTP client raises the same classes.
"""

import json
from collections.abc import Mapping
from typing import Any, ClassVar, Protocol, cast

import psycopg

from cmbs.kernel.refusal import Refusal as Refusal


class _Diagnosed(Protocol):
    message_primary: str | None
    message_hint: str | None
    message_detail: str | None


class BeliefError(psycopg.DatabaseError, Refusal):
    """A verb refused the call; nothing was changed."""

    api_code: ClassVar[str]
    status: ClassVar[int]
    _answered: tuple[str, dict[str, Any]] | None = None

    @classmethod
    def answered(cls, message: str, details: Mapping[str, Any] | None = None) -> "BeliefError":
        """The error as it was told over HTTP."""
        error = cls(message)
        error._answered = message, dict(details or {})
        return error

    @property
    def code(self) -> str:
        """The code of the protocol: `SESSION_NOT_FOUND`."""
        return self.api_code

    @property
    def message(self) -> str:
        """A constant sentence or two, the same from SQL and over HTTP."""
        if self._answered:
            return self._answered[0]
        found = cast(_Diagnosed, self.diag)
        return " ".join(filter(None, (found.message_primary, found.message_hint)))

    @property
    def details(self) -> dict[str, Any]:
        """The values that belong to the message."""
        if self._answered:
            return self._answered[1]
        detail = cast(_Diagnosed, self.diag).message_detail
        # A front that passes the error on may put a word before it.
        start = detail.find("{") if detail else -1
        return cast(dict[str, Any], json.loads(detail[start:])) if detail and start >= 0 else {}

    def __str__(self) -> str:
        if not self._answered:
            return super().__str__()
        return f"{self.code}: {self.message}" + (f" {self.details}" if self.details else "")


class SessionNotFound(BeliefError, code="MB001"):
    api_code, status = "SESSION_NOT_FOUND", 404


class ObligationNotFound(BeliefError, code="MB002"):
    api_code, status = "OBLIGATION_NOT_FOUND", 404


class EventNotFound(BeliefError, code="MB003"):
    api_code, status = "EVENT_NOT_FOUND", 404


class SpaceNotFound(BeliefError, code="MB004"):
    api_code, status = "SPACE_NOT_FOUND", 404


class PrincipalNotFound(BeliefError, code="MB005"):
    api_code, status = "PRINCIPAL_NOT_FOUND", 404


class TokenNotFound(BeliefError, code="MB006"):
    api_code, status = "TOKEN_NOT_FOUND", 404


class PolicyNotFound(BeliefError, code="MB007"):
    api_code, status = "POLICY_NOT_FOUND", 404


class ToolNotFound(BeliefError, code="MB008"):
    api_code, status = "TOOL_NOT_FOUND", 404


class SchemaNotFound(BeliefError, code="MB009"):
    api_code, status = "SCHEMA_NOT_FOUND", 404


class ClaimNotFound(BeliefError, code="MB010"):
    api_code, status = "CLAIM_NOT_FOUND", 404


class PermitNotFound(BeliefError, code="MB011"):
    api_code, status = "PERMIT_NOT_FOUND", 404


class InterruptNotFound(BeliefError, code="MB012"):
    api_code, status = "INTERRUPT_NOT_FOUND", 404


class IncidentNotFound(BeliefError, code="MB013"):
    api_code, status = "INCIDENT_NOT_FOUND", 404


class SessionTerminated(BeliefError, code="MB101"):
    api_code, status = "SESSION_TERMINATED", 409


class Conflict(BeliefError, code="MB102"):
    api_code, status = "CONFLICT", 409


class HeadMismatch(BeliefError, code="MB103"):
    api_code, status = "CONFLICT", 412


class InvalidRequest(BeliefError, code="MB201"):
    api_code, status = "INVALID_REQUEST", 400


class InvalidHypothesisId(BeliefError, code="MB202"):
    api_code, status = "INVALID_HYPOTHESIS_ID", 400


class PayloadTooLarge(BeliefError, code="MB203"):
    api_code, status = "PAYLOAD_TOO_LARGE", 413


class Unauthenticated(BeliefError, code="MB301"):
    api_code, status = "UNAUTHENTICATED", 401


class Forbidden(BeliefError, code="MB302"):
    api_code, status = "FORBIDDEN", 403


# What no verb raises; from SQL the like of it arrives as an error of PostgreSQL's own.


class NotFound(BeliefError):
    api_code, status = "NOT_FOUND", 404


class MethodNotAllowed(BeliefError):
    api_code, status = "METHOD_NOT_ALLOWED", 405


class UnsupportedMediaType(BeliefError):
    api_code, status = "UNSUPPORTED_MEDIA_TYPE", 415


class RateLimited(BeliefError):
    """More requests wait than the server takes; it did nothing with this one."""

    api_code, status = "RATE_LIMITED", 429


class Internal(BeliefError, psycopg.InternalError):
    """The server failed. `details` holds the id under which its log says more, if it told one."""

    api_code, status = "INTERNAL", 500


class Unavailable(BeliefError, psycopg.OperationalError):
    """The server or its database cannot answer now, or something else answered in its place.

    Whether the message was recorded is not known: send it again under the same identity.
    """

    api_code, status = "UNAVAILABLE", 503


# What verbs raise, by SQLSTATE.
RAISED = tuple(kind for kind in BeliefError.__subclasses__() if kind.sqlstate)

# What the HTTP shell answers by itself.
SHELL_STATUS: dict[str, int] = {
    kind.api_code: kind.status
    for kind in (NotFound, MethodNotAllowed, UnsupportedMediaType, RateLimited, Internal)
}

_BY_CODE = {kind.api_code: kind for kind in reversed(BeliefError.__subclasses__())}


def of_answer(
    code: str, status: int, message: str, details: Mapping[str, Any] | None
) -> BeliefError | None:
    """The error that an HTTP server told; None if the protocol has no such code."""
    # Both are told as CONFLICT, and only one of them can be mended by reading again.
    is_stale = (code, status) == (HeadMismatch.api_code, HeadMismatch.status)
    kind = HeadMismatch if is_stale else _BY_CODE.get(code)
    return kind.answered(message, details) if kind else None


# What PostgreSQL itself raises, by SQLSTATE or by its class; the longest match counts.
SERVER_STATES: dict[str, tuple[str, int]] = {
    "22": ("INVALID_REQUEST", 400),
    "0A000": ("INVALID_REQUEST", 400),
    "54001": ("INVALID_REQUEST", 400),
    "54000": ("PAYLOAD_TOO_LARGE", 413),
    "42501": ("FORBIDDEN", 403),
    "55P03": ("UNAVAILABLE", 503),
    "57014": ("UNAVAILABLE", 503),
    "57P": ("UNAVAILABLE", 503),
    "25P03": ("UNAVAILABLE", 503),
    "25P04": ("UNAVAILABLE", 503),
    "25006": ("UNAVAILABLE", 503),
    # Lost races for locks that were run again, and lost again.
    "40001": ("UNAVAILABLE", 503),
    "40P01": ("UNAVAILABLE", 503),
    "08": ("UNAVAILABLE", 503),
    "53": ("UNAVAILABLE", 503),
}


def classify(error: psycopg.Error) -> tuple[str, int]:
    """API code and HTTP status of anything that a call of a verb may raise."""
    if isinstance(error, BeliefError):
        return error.api_code, error.status
    state = error.sqlstate
    if state is None:
        # The driver's own: a value it cannot send, a connection it has not, a mistake in the call.
        if isinstance(error, psycopg.DataError):
            return "INVALID_REQUEST", 400
        is_away = isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
        state = "08" if is_away else ""
    for length in range(len(state), 1, -1):
        if found := SERVER_STATES.get(state[:length]):
            return found
    return "INTERNAL", 500
