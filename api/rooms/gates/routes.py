"""What gates an agent: obligations, conclusions, termination."""

from litestar import get, post
from litestar.params import FromPath

from cmbs.api.rooms.gates import answers, requests
from cmbs.api.shell.answer import Answer
from cmbs.api.shell.body_decoding import read
from cmbs.api.shell.headers import (
    HttpRequest,
    as_session_id,
    request_id,
)
from cmbs.api.shell.refusals import invalid
from cmbs.api.shell.routes_common import REFUSED, SESSION, database, if_sent, path_id, tell


@get(f"{SESSION}/obligations", gives=answers.Obligations, errors=("SESSION_NOT_FOUND",))
async def list_obligations(request: HttpRequest, session_id: FromPath[str]) -> Answer:
    """Every obligation of a session, with its state."""
    answer = await database(request).call("list_obligations", session_id=as_session_id(session_id))
    return Answer(answer)


@post(
    f"{SESSION}/obligations",
    verb="ENTER_OBLIGATION",
    takes=requests.EnterObligation,
    gives=answers.Entered,
    errors=(*REFUSED, "CONFLICT of a request id"),
)
async def enter_obligation(request: HttpRequest, session_id: FromPath[str]) -> Answer:
    """Enter an obligation; one is active at a time."""
    message = await read(request, requests.EnterObligation)
    return await tell(
        request,
        "enter_obligation",
        session_id,
        message,
        obligation_id=message.obligation_id,
        min_total_eliminations=message.min_total_eliminations,
        notes=message.notes,
        request_id=request_id(request),
    )


@post(
    f"{SESSION}/obligations/{{obligation_id:str}}/exit",
    verb="REQUEST_EXIT",
    takes=requests.RequestExit,
    gives=answers.Approved,
    errors=(*REFUSED, "CONFLICT of a request id", "OBLIGATION_NOT_FOUND"),
)
async def request_exit(
    request: HttpRequest, session_id: FromPath[str], obligation_id: FromPath[str]
) -> Answer:
    """Ask to leave the active obligation; a denial is an answer."""
    message = await read(request, requests.RequestExit)
    return await tell(
        request,
        "request_exit",
        session_id,
        message,
        obligation_id=same_id(message, obligation_id),
        context=if_sent(message.context),
        notes=message.notes,
        request_id=request_id(request),
    )


@post(
    f"{SESSION}/obligations/{{obligation_id:str}}/waive",
    verb="WAIVE_OBLIGATION",
    takes=requests.WaiveObligation,
    gives=answers.Approved,
    errors=(*REFUSED, "CONFLICT of a request id", "OBLIGATION_NOT_FOUND"),
)
async def waive_obligation(
    request: HttpRequest, session_id: FromPath[str], obligation_id: FromPath[str]
) -> Answer:
    """Lift an obligation that cannot be met; for the policy role."""
    message = await read(request, requests.WaiveObligation)
    return await tell(
        request,
        "waive_obligation",
        session_id,
        message,
        obligation_id=same_id(message, obligation_id),
        reason=message.reason,
        notes=message.notes,
        request_id=request_id(request),
    )


@get(f"{SESSION}/conclusions", gives=answers.Conclusions, errors=("SESSION_NOT_FOUND",))
async def list_conclusions(request: HttpRequest, session_id: FromPath[str]) -> Answer:
    """Every conclusion declared in a session, accepted or not."""
    answer = await database(request).call("list_conclusions", session_id=as_session_id(session_id))
    return Answer(answer)


@post(
    f"{SESSION}/conclusions",
    verb="DECLARE_CONCLUSION",
    takes=requests.DeclareConclusion,
    gives=answers.Accepted,
    errors=(*REFUSED, "CONFLICT of a request id"),
)
async def declare_conclusion(request: HttpRequest, session_id: FromPath[str]) -> Answer:
    """Declare a conclusion; accepted if no obligation is active."""
    message = await read(request, requests.DeclareConclusion)
    return await tell(
        request,
        "declare_conclusion",
        session_id,
        message,
        conclusion_id=message.conclusion_id,
        context=if_sent(message.context),
        notes=message.notes,
        request_id=request_id(request),
    )


@post(
    f"{SESSION}/terminate",
    verb="REQUEST_TERMINATION",
    takes=requests.RequestTermination,
    gives=answers.Approved,
    errors=(*REFUSED, "CONFLICT of a request id"),
)
async def request_termination(request: HttpRequest, session_id: FromPath[str]) -> Answer:
    """Ask to end the session; a denial is an answer."""
    message = await read(request, requests.RequestTermination)
    return await tell(
        request,
        "request_termination",
        session_id,
        message,
        context=if_sent(message.context),
        notes=message.notes,
        request_id=request_id(request),
    )


def same_id(message: requests.RequestExit | requests.WaiveObligation, sent: str) -> str:
    """The obligation of the path, which a body may name again."""
    obligation_id = path_id("obligation_id", sent)
    if message.obligation_id not in (None, obligation_id):
        raise invalid("obligation_id", "must be the one in the path")
    return obligation_id
