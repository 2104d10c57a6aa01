"""What the routes share: their verb is called, and its text goes out as it came."""

from typing import Protocol
from urllib.parse import quote, unquote, urlencode
from uuid import UUID

import msgspec
from msgspec import Raw

from cmbs.api.shell.admission import CallerDatabase
from cmbs.api.shell.answer import Answer, Headers
from cmbs.api.shell.answer_shapes import Head
from cmbs.api.shell.headers import (
    HttpRequest,
    as_session_id,
    expected_heads,
    is_known,
    query,
    wanted_return,
)
from cmbs.api.shell.refusals import invalid
from cmbs.api.shell.request_shapes import Message
from cmbs.errors import HeadMismatch

SESSION = "/v1/sessions/{session_id:str}"
# A message to a session may find it gone, over, or changed.
REFUSED = ("SESSION_NOT_FOUND", "SESSION_TERMINATED", "CONFLICT as 412")
_HEAD = b'"audit_head_event_id": "'
_MEMBERS = msgspec.json.Decoder(dict[str, Raw])


class _OfSession(Protocol):
    """A body that may name its session."""

    session_id: UUID | None


def database(request: HttpRequest) -> CallerDatabase:
    """The way to every verb, which is called for whoever sent the request."""
    state = request.app.state
    return CallerDatabase(state.database, state.admission, request)


def as_sent(raw: Raw) -> str:
    """A member that goes into the database as its sender wrote it."""
    return bytes(raw).decode()


def if_sent(raw: Raw) -> str | None:
    """The same of one that may be left out; null counts as left out."""
    written = bytes(raw)
    return None if written in (b"", b"null") else written.decode()


def as_array(ids: list[str] | None) -> str | None:
    """A list of ids as PostgreSQL writes it; the driver takes a second and more for a million."""
    if not ids:
        return None if ids is None else "{}"
    joined = "\0".join(ids)
    if joined.count("\0") >= len(ids):
        raise invalid(None, "holds a value that cannot be stored")
    quoted = joined.replace("\\", r"\\").replace('"', r"\"")
    return '{"' + quoted.replace("\0", '","') + '"}'


def path_id(member: str, sent: str) -> str:
    """An id in a path, whose bytes arrive percent-encoded."""
    try:
        return unquote(sent, errors="strict")
    except UnicodeError:
        raise invalid(member, "must be UTF-8") from None


def segment(name: str) -> str:
    """An id as a part of a path."""
    # Dots alone would lead whoever follows the location elsewhere.
    return name.replace(".", "%2E") if name in (".", "..") else quote(name, safe="")


def of_tenant(request: HttpRequest) -> str:
    """The query of a location that is another tenant's, as the request named it."""
    tenant = query(request).get("tenant")
    return "" if tenant is None else f"?{urlencode({'tenant': tenant})}"


def same_session(message: _OfSession, sent: str) -> UUID:
    """The session of the path, which a body may name again."""
    session = as_session_id(sent)
    if message.session_id not in (None, session):
        raise invalid("session_id", "must be the one in the path")
    return session


async def tell(
    request: HttpRequest, verb: str, session_id: str, message: Message, **arguments: object
) -> Answer:
    """Tell a session something; If-Match says at which heads it may be told."""
    session = same_session(message, session_id)
    return belief_answer(request, await at_head(request, verb, session, **arguments))


async def at_head(request: HttpRequest, verb: str, session: UUID, **arguments: object) -> bytes:
    """Call a verb of a session that has one of the heads of If-Match."""
    arguments |= {"session_id": session, "minimal": wanted_return(request) != ""}
    heads = expected_heads(request)
    expected = heads[0] if heads else None
    while True:
        try:
            return await database(request).call(verb, expected_head=expected, **arguments)
        except HeadMismatch as error:
            # Of several heads the verb takes one; a head never comes back, so this ends.
            found = UUID(error.details["audit_head_event_id"])
            if found == expected or found not in (heads or ()):
                raise
            expected = found


def belief_answer(
    request: HttpRequest, text: bytes, status: int = 200, headers: Headers = ()
) -> Answer:
    """An answer that ends in a snapshot, with the head for the next If-Match."""
    at = text.rindex(_HEAD) + len(_HEAD)
    head = text[at : at + 36]
    said = [(b"etag", b'"%s"' % head), (b"vary", b"Prefer, Accept"), *headers]
    if request.method == "GET" and is_known(request, head.decode()):
        return Answer(b"", 304, said)
    if wanted := wanted_return(request):
        said.append((b"preference-applied", b"return=" + wanted.encode()))
    return Answer(_without_snapshot(text) if wanted == "none" else text, status, said)


def _without_snapshot(text: bytes) -> bytes:
    """An answer with nothing of its snapshot but the head, or the same of a snapshot alone."""
    members = _MEMBERS.decode(text)
    if "snapshot" not in members:
        return _head(text)
    return msgspec.json.encode({**members, "snapshot": Raw(_head(members["snapshot"]))})


def _head(snapshot: bytes | Raw) -> bytes:
    members = _MEMBERS.decode(snapshot)
    return msgspec.json.encode({name: members[name] for name in Head.__struct_fields__})
