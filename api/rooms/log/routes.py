"""The log of a session: traced, verified, and asked why."""

import re
from collections.abc import AsyncIterator

from litestar import get
from litestar.datastructures.headers import Accept
from litestar.params import FromPath

from cmbs.api.rooms.log import answers, trace
from cmbs.api.shell.answer import Answer, Stream
from cmbs.api.shell.headers import (
    NO_EVENT,
    HttpRequest,
    as_session_id,
    as_uuid,
    number_of,
    query,
    sent,
    uuid_of,
)
from cmbs.api.shell.routes_common import SESSION, database

_LINES = "application/x-ndjson"
_REFUSED = re.compile(r"[^,]*;\s*q=0(?:\.0*)?\s*(?=,|$)", re.IGNORECASE)


@get(
    f"{SESSION}/audit",
    verb="AUDIT_TRACE",
    gives=answers.Trace,
    query=("since_event_id", "limit"),
    longest=10_000,
    errors=("SESSION_NOT_FOUND", "EVENT_NOT_FOUND"),
    says="With `Accept: application/x-ndjson` it is a stream of lines, which an auditor can hash.",
)
async def audit_trace(request: HttpRequest, session_id: FromPath[str]) -> Stream:
    """Read the log of a session, event by event."""
    asked = query(request)
    accepted = b",".join(sent(request, b"accept")).decode("latin-1")
    # A weight of nothing says what is not wanted, which best_match takes for a wish.
    wanted = Accept(_REFUSED.sub("", accepted))
    kind = wanted.best_match(["application/json", _LINES], default="application/json")
    parts = (trace.as_lines if kind == _LINES else trace.as_json)(
        database(request),
        as_session_id(session_id),
        uuid_of(asked, "since_event_id"),
        number_of(asked, "limit"),
    )
    # What is wrong shows with the first part, while there is still a status to say so.
    first = await anext(parts)
    return Stream(_continued(first, parts), [(b"vary", b"Accept")], kind.encode())


@get(
    f"{SESSION}/audit/{{event_id:str}}",
    gives=answers.Event,
    errors=("SESSION_NOT_FOUND", "EVENT_NOT_FOUND"),
)
async def audit_event(
    request: HttpRequest, session_id: FromPath[str], event_id: FromPath[str]
) -> Answer:
    """Read one event of the log of a session."""
    text = await database(request).call(
        "audit_event",
        session_id=as_session_id(session_id),
        event_id=as_uuid(event_id) or NO_EVENT,
    )
    return Answer(text)


@get(
    f"{SESSION}/verify",
    gives=answers.Verified,
    errors=("SESSION_NOT_FOUND",),
    says="Everything is computed anew from the log, so a long log takes longer.",
)
async def verify(request: HttpRequest, session_id: FromPath[str]) -> Answer:
    """Check that a session is what its log says, and that the log is whole."""
    return Answer(await database(request).call("verify", session_id=as_session_id(session_id)))


async def _continued(first: bytes, parts: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for part in parts:
        yield part
