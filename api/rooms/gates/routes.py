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
    """List the obligations of a session and their states."""
    answer = await database(request).call("list_obligations", session_id=as_session_id(session_id))
    return Answer(answer)


@post(
    f"{SESSION}/obligations",
    verb="ENTER_OBLIGATION",
    takes=requests.EnterObligation,
    gives=answers.Entered,
    errors=(*REFUSED, "CONFLICT of a request id"),
    says="One obligation is active at a time. Until it is left, no conclusion is accepted and "
    "the session does not end.",
)
async def enter_obligation(request: HttpRequest, session_id: FromPath[str]) -> Answer:
    """Require a number of eliminations before any conclusion."""
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
    says="A denial is an answer with status 200.",
)
async def request_exit(
    request: HttpRequest, session_id: FromPath[str], obligation_id: FromPath[str]
) -> Answer:
    """Ask to leave an obligation once enough is ruled out."""
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
    says="For the policy role.",
)
async def waive_obligation(
    request: HttpRequest, session_id: FromPath[str], obligation_id: FromPath[str]
) -> Answer:
    """Lift an obligation that cannot be met."""
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
    """List the conclusions declared in a session, accepted or not."""
    answer = await database(request).call("list_conclusions", session_id=as_session_id(session_id))
    return Answer(answer)


@post(
    f"{SESSION}/conclusions",
    verb="DECLARE_CONCLUSION",
    takes=requests.DeclareConclusion,
    gives=answers.Accepted,
    errors=(*REFUSED, "CONFLICT of a request id"),
    says="A denial is an answer with status 200.",
)
async def declare_conclusion(request: HttpRequest, session_id: FromPath[str]) -> Answer:
    """Declare a conclusion; it is accepted if no obligation is active."""
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
    says="It takes one survivor and stable conclusions, or force where the session allows it. "
    "A denial is an answer with status 200.",
)
async def request_termination(request: HttpRequest, session_id: FromPath[str]) -> Answer:
    """Ask to end a session when its question is settled."""
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
