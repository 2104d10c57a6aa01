"""One call of the server: what is sent, how the answer is read, and what the log must say of it."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from urllib.parse import quote
from uuid import UUID

from cmbs.client.chain import Claim, Head
from cmbs.errors import BeliefError, EventNotFound, InvalidRequest, SessionNotFound
from cmbs.kernel.answers import ExpectedHead, SessionId
from cmbs.kernel.canonical import canonical, encoded

T = TypeVar("T")
Members = Mapping[str, Any]

# What a header may hold: no control characters, and no space at either end.
_HEADER = re.compile(rb"[!-~\x80-\xff]([ -~\x80-\xff]*[!-~\x80-\xff])?")
_TAG = re.compile(r"[!#-~]+")


@dataclass(frozen=True)
class Proof:
    """What an answer claims about the log of its session."""

    heads: list[Head]
    claims: list[Claim] = field(default_factory=list)
    # The head is that of the log as it was when it answered.
    is_now: bool = False


@dataclass(frozen=True)
class Request(Generic[T]):
    """One call. Each may be sent again, for it reads, or has an identity; unless it is `once`."""

    method: str
    path: str
    read: Callable[[Any], T]
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[bytes, bytes] = field(default_factory=dict)
    body: bytes | None = None
    session_id: str = ""
    proof: Callable[[Any], Proof] | None = None
    # Done again it would be done twice.
    once: bool = False


def invalid(member: str, problem: str) -> BeliefError:
    """The refusal of what no request can carry, as the server would put it."""
    return InvalidRequest.answered(
        "The request is not valid. See details for the member and what is wrong with it; "
        "nothing was changed.",
        {"member": member, "problem": problem},
    )


def get(path: str, read: Callable[[Any], T], **query: object) -> Request[T]:
    """A read; what is None is left out of the query."""
    return Request("GET", path, read, _query(query))


def body_of(members: Members) -> bytes:
    """The members that are not None as JSON, with every digit of their numbers."""
    given = (_member(name, value) for name, value in members.items() if value is not None)
    return b"{%b}" % b", ".join(given)


def _member(name: str, value: object) -> bytes:
    try:
        return encoded(canonical({name: value})[1:-1])
    except ValueError as error:
        raise invalid(name, str(error)) from None
    except RecursionError:
        raise invalid(name, "is nested too deep") from None


def uuid_text(member: str, value: str | UUID) -> str:
    """The id of a session or an event as it is recorded; text that is no uuid stays as it is."""
    if not isinstance(value, str | UUID):
        raise invalid(member, f"must be a uuid, not a value of type {type(value).__name__}")
    try:
        return str(UUID(str(value)))
    except ValueError:
        return str(value)


def optional_text(member: str, value: str | None) -> str | None:
    if value is not None and not isinstance(value, str):
        raise invalid(member, "must be text")
    return value


def session_path(session_id: SessionId, *rest: str) -> str:
    """The path of a session, or of what belongs to it; `rest` is encoded already."""
    text = uuid_text("session_id", session_id)
    if not text:
        raise SessionNotFound.answered(
            "There is no such session. Declare it first, or check the id.", {"session_id": text}
        )
    return "/".join(["/v1/sessions", _encoded("session_id", text), *rest])


def segment(member: str, name: str) -> str:
    """An id as a part of a path."""
    if not isinstance(name, str) or not name:
        raise invalid(member, "must be text of 1 to 512 bytes")
    return _encoded(member, name)


def event_segment(event_id: str | UUID) -> str:
    text = uuid_text("event_id", event_id)
    if not text:
        raise EventNotFound.answered(
            "There is no such event in this session. "
            "Take event ids from answers and traces of the same session.",
            {"event_id": text},
        )
    return _encoded("event_id", text)


def ids(member: str, values: Iterable[str]) -> list[str]:
    """A list of ids; a set has no order and gets that of its ids."""
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise invalid(member, "must be a list of ids")
    listed = list(values)
    if not all(isinstance(one, str) for one in listed):
        raise invalid(member, "every id must be text of 1 to 512 bytes")
    return sorted(listed) if isinstance(values, set | frozenset) else listed


def message_headers(
    request_id: str | None, expected_head: ExpectedHead, minimal: bool
) -> dict[bytes, bytes]:
    headers = preference(minimal) | {b"Content-Type": b"application/json"}
    if expected_head is not None:
        headers[b"If-Match"] = _tags(expected_head)
    if request_id is not None:
        if not isinstance(request_id, str):
            raise invalid("request_id", "must be text of 1 to 512 bytes")
        key = _utf_8("request_id", request_id)
        if not _HEADER.fullmatch(key):
            raise invalid("request_id", "must be text without control characters or outer spaces")
        headers[b"Idempotency-Key"] = key
    return headers


def preference(minimal: bool) -> dict[bytes, bytes]:
    return {b"Prefer": b"return=minimal"} if minimal else {}


def _tags(expected: str | UUID | Iterable[str | UUID]) -> bytes:
    if expected == "*":
        return b"*"
    heads = [expected] if isinstance(expected, str | UUID) else expected
    if isinstance(heads, bytes | Mapping) or not isinstance(heads, Iterable):
        raise invalid("expected_head", "must be event ids, or *")
    tags = [uuid_text("expected_head", head) for head in heads]
    if not all(map(_TAG.fullmatch, tags)):
        raise invalid("expected_head", "must be event ids, or *")
    return ", ".join(f'"{tag}"' for tag in tags).encode()


def _encoded(member: str, name: str) -> str:
    # Dots alone would be taken for a way up the path.
    if name in (".", ".."):
        return name.replace(".", "%2E")
    return quote(_utf_8(member, name), safe="")


def _query(parameters: Mapping[str, object]) -> dict[str, str]:
    found = {}
    for name, value in parameters.items():
        if value is not None:
            try:
                text = str(value).lower() if isinstance(value, bool) else str(value)
            except ValueError:
                # Python prints no number of more than some thousand digits.
                raise invalid(name, "has too many digits") from None
            _utf_8(name, text)
            found[name] = text
    return found


def _utf_8(member: str, text: str) -> bytes:
    try:
        return encoded(text)
    except ValueError as error:
        raise invalid(member, str(error)) from None
