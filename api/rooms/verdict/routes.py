"""What agents propose and the policy of their session decides, and the state that it changes."""

from typing import Any

from litestar import get, post
from litestar.params import FromPath

from cmbs.api.rooms.verdict import answers, requests
from cmbs.api.shell.answer import Answer
from cmbs.api.shell.body_decoding import read_as_sent
from cmbs.api.shell.headers import (
    NO_EVENT,
    HttpRequest,
    as_session_id,
    as_uuid,
    number_of,
    query,
    request_id,
    sent,
    uuid_of,
)
from cmbs.api.shell.refusals import invalid
from cmbs.api.shell.routes_common import (
    REFUSED,
    SESSION,
    at_head,
    belief_answer,
    database,
)


@post(
    f"{SESSION}/proposals",
    verb="PROPOSE",
    takes=requests.Propose,
    gives=answers.Proposed,
    says="What is allowed takes effect. A denial is an answer with status 200. A dry run gets "
    "the same verdict and records no event.",
    errors=REFUSED,
)
async def propose(request: HttpRequest, session_id: FromPath[str]) -> Answer:
    """Propose tool calls and changes of the state, and let the policy decide."""
    session = as_session_id(session_id)
    _, proposal = await read_as_sent(request, requests.Propose)
    key = request_id(request)
    text = await at_head(request, "propose", session, proposal=proposal, request_id=key)
    return belief_answer(request, text)


@post(
    f"{SESSION}/proposals/{{proposal_id:str}}/resume",
    verb="PROPOSE",
    takes=requests.Resume,
    gives=answers.Proposed,
    says="The same items get a new verdict, which uses the approval up.",
    errors=(*REFUSED, "CONFLICT of a question", "EVENT_NOT_FOUND"),
)
async def resume(
    request: HttpRequest, session_id: FromPath[str], proposal_id: FromPath[str]
) -> Answer:
    """Go on with a proposal that people have approved."""
    session = as_session_id(session_id)
    _, proposal = await read_as_sent(request, requests.Resume)
    text = await at_head(
        request,
        "resume",
        session,
        proposal_id=as_uuid(proposal_id) or NO_EVENT,
        proposal=proposal,
        request_id=request_id(request),
    )
    return belief_answer(request, text)


@get(
    f"{SESSION}/deferrals",
    gives=answers.Deferrals,
    query=("limit", "before"),
    longest=1_000,
    errors=("SESSION_NOT_FOUND",),
    says="The latest tries come first.",
)
async def list_deferrals(request: HttpRequest, session_id: FromPath[str]) -> Answer:
    """List the proposals that wait for something, with every try."""
    asked = query(request)
    text = await database(request).call(
        "list_deferrals",
        session_id=as_session_id(session_id),
        limit=number_of(asked, "limit"),
        before=number_of(asked, "before"),
    )
    return Answer(text)


@get(
    f"{SESSION}/proposals",
    gives=answers.Proposals,
    query=("limit", "before", "decision"),
    longest=1_000,
    errors=("SESSION_NOT_FOUND",),
    says="The newest come first.",
)
async def list_proposals(request: HttpRequest, session_id: FromPath[str]) -> Answer:
    """List the proposals of a session and how each was decided."""
    asked = query(request)
    text = await database(request).call(
        "list_proposals",
        session_id=as_session_id(session_id),
        limit=number_of(asked, "limit"),
        before=number_of(asked, "before"),
        decision=asked.get("decision"),
    )
    return Answer(text)


@get(
    f"{SESSION}/proposals/{{proposal_id:str}}/explain",
    gives=answers.DecisionExplained,
    errors=("SESSION_NOT_FOUND", "EVENT_NOT_FOUND"),
)
async def explain_decision(
    request: HttpRequest, session_id: FromPath[str], proposal_id: FromPath[str]
) -> Answer:
    """Explain why a proposal was allowed, denied or deferred."""
    text = await database(request).call(
        "explain_decision",
        session_id=as_session_id(session_id),
        proposal_id=as_uuid(proposal_id) or NO_EVENT,
    )
    return Answer(text)


@get(
    f"{SESSION}/state",
    gives=answers.State,
    query=("as_of", "include"),
    means={"as_of": "as_of_event"},
    errors=("SESSION_NOT_FOUND", "EVENT_NOT_FOUND"),
    says="`as_of` chooses an event.",
)
async def read_state(request: HttpRequest, session_id: FromPath[str]) -> Answer:
    """Read the facts, the goals and the policy of a session."""
    asked = query(request)
    if asked.get("include") not in (None, "policy"):
        raise invalid("include", "must be policy")
    text = await database(request).call(
        "read_state",
        session_id=as_session_id(session_id),
        as_of=uuid_of(asked, "as_of"),
        include_policy="include" in asked,
    )
    return Answer(text)


@get(
    f"{SESSION}/permitted",
    gives=answers.Permitted,
    headers=("X-Capability-Token",),
    errors=("SESSION_NOT_FOUND",),
    says="It depends on the capability token that is shown.",
)
async def list_permitted(request: HttpRequest, session_id: FromPath[str]) -> Answer:
    """List which tools the caller may call now, and why not the others."""
    text = await database(request).call(
        "list_permitted",
        session_id=as_session_id(session_id),
        capability_token=_shown_token(request),
    )
    return Answer(text)


def _shown_token(request: HttpRequest) -> Any:
    """The secret of a capability token: what is in a URL is in every log."""
    shown = sent(request, b"x-capability-token")
    if len(shown) > 1:
        raise invalid("X-Capability-Token", "may be sent once")
    return shown[0].decode("latin-1") if shown else None
