"""Permits: whoever runs a tool begins the call that was allowed, and tells how it ended."""

from litestar import get, post
from litestar.params import FromPath

from cmbs.api.rooms.permit import answers, requests
from cmbs.api.shell.answer import Answer
from cmbs.api.shell.body_decoding import read
from cmbs.api.shell.headers import (
    NO_EVENT,
    HttpRequest,
    as_session_id,
    as_uuid,
    number_of,
    query,
    request_id,
)
from cmbs.api.shell.routes_common import REFUSED, SESSION, database, if_sent, tell

_PERMITS = f"{SESSION}/permits"


_PERMIT = f"{_PERMITS}/{{permit_id:str}}"


@post(
    f"{_PERMIT}/begin",
    verb="BEGIN_EXECUTION",
    takes=requests.BeginExecution,
    gives=answers.Begun,
    errors=(*REFUSED, "CONFLICT of a permit", "PERMIT_NOT_FOUND"),
    says="A permit is good for one call: run the tool only if this succeeds.",
)
async def begin_execution(
    request: HttpRequest, session_id: FromPath[str], permit_id: FromPath[str]
) -> Answer:
    """Begin an allowed tool call, right before you run the tool."""
    message = await read(request, requests.BeginExecution)
    return await tell(
        request,
        "begin_execution",
        session_id,
        message,
        permit_id=as_uuid(permit_id) or NO_EVENT,
        notes=message.notes,
        request_id=request_id(request),
    )


@post(
    f"{_PERMIT}/complete",
    verb="COMPLETE_EXECUTION",
    takes=requests.CompleteExecution,
    gives=answers.Completed,
    says="Only the caller who began may say so, also when the session has ended. The same end "
    "again is a repeat.",
    errors=("SESSION_NOT_FOUND", "CONFLICT as 412", "CONFLICT of a permit", "PERMIT_NOT_FOUND"),
)
async def complete_execution(
    request: HttpRequest, session_id: FromPath[str], permit_id: FromPath[str]
) -> Answer:
    """Report how a tool call ended, after you ran the tool."""
    message = await read(request, requests.CompleteExecution)
    return await tell(
        request,
        "complete_execution",
        session_id,
        message,
        permit_id=as_uuid(permit_id) or NO_EVENT,
        outcome=message.outcome,
        result=if_sent(message.result),
        usage=if_sent(message.usage),
        notes=message.notes,
        request_id=request_id(request),
    )


@get(
    _PERMITS,
    gives=answers.Permits,
    query=("status", "limit", "before"),
    means={"status": "permit_status"},
    longest=1_000,
    errors=("SESSION_NOT_FOUND",),
    says="The newest come first.",
)
async def list_permits(request: HttpRequest, session_id: FromPath[str]) -> Answer:
    """List the permits of a session and what became of each."""
    asked = query(request)
    text = await database(request).call(
        "list_permits",
        session_id=as_session_id(session_id),
        status=asked.get("status"),
        limit=number_of(asked, "limit"),
        before=number_of(asked, "before"),
    )
    return Answer(text)


@get(_PERMIT, gives=answers.Permit, errors=("SESSION_NOT_FOUND", "PERMIT_NOT_FOUND"))
async def read_permit(
    request: HttpRequest, session_id: FromPath[str], permit_id: FromPath[str]
) -> Answer:
    """Read one permit: the call that it allows, and what became of it."""
    text = await database(request).call(
        "read_permit",
        session_id=as_session_id(session_id),
        permit_id=as_uuid(permit_id) or NO_EVENT,
    )
    return Answer(text)
