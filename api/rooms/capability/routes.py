"""Capability tokens: what their holders may propose in a session, and how often."""

from litestar import delete, get, post
from litestar.params import FromPath
from msgspec import Struct
from msgspec.json import Decoder

from cmbs.api.rooms.capability import answers, requests
from cmbs.api.shell.answer import Answer
from cmbs.api.shell.body_decoding import read_as_sent
from cmbs.api.shell.headers import NO_EVENT, HttpRequest, as_session_id, as_uuid, request_id
from cmbs.api.shell.routes_common import REFUSED, SESSION, at_head, belief_answer, database

_TOKENS = f"{SESSION}/capability-tokens"


class _Made(Struct):
    token_id: str
    duplicate: bool


_MADE = Decoder(_Made)


@post(
    _TOKENS,
    verb="TOKEN_ISSUE",
    takes=requests.IssueToken,
    gives=answers.TokenIssued,
    says="For the policy role. A holder may make a narrower one. The secret is shown "
    "this once; a repeat has null in its place.",
    errors=(*REFUSED, "CONFLICT of a narrower token", "TOKEN_NOT_FOUND of a session"),
    creates=True,
)
async def issue_capability(request: HttpRequest, session_id: FromPath[str]) -> Answer:
    """Issue a capability token, or make a narrower one from one you hold."""
    session = as_session_id(session_id)
    message, grant = await read_as_sent(request, requests.IssueToken)
    parent, key = message.parent, request_id(request)
    # A parent that is none is left out, which is how the other verb knows it.
    verb = "narrow_capability" if parent else "issue_capability"
    text = await at_head(request, verb, session, parent_id=parent, grant=grant, request_id=key)
    made = _MADE.decode(text)
    if made.duplicate:
        return belief_answer(request, text)
    where = f"/v1/sessions/{session}/capability-tokens/{made.token_id}"
    return belief_answer(request, text, 201, [(b"location", where.encode())])


@get(_TOKENS, gives=answers.CapabilityTokens, errors=("SESSION_NOT_FOUND",))
async def list_capabilities(request: HttpRequest, session_id: FromPath[str]) -> Answer:
    """List the capability tokens of a session and what is left of each."""
    text = await database(request).call("list_capabilities", session_id=as_session_id(session_id))
    return Answer(text)


@delete(
    f"{_TOKENS}/{{token_id:str}}",
    verb="TOKEN_REVOKE",
    gives=answers.TokenRevoked,
    headers=("If-Match", "Idempotency-Key"),
    errors=(*REFUSED, "CONFLICT of a request id", "TOKEN_NOT_FOUND of a session"),
    status_code=200,
    says="They stop counting with the next message.",
)
async def revoke_capability(
    request: HttpRequest, session_id: FromPath[str], token_id: FromPath[str]
) -> Answer:
    """Revoke a capability token and all tokens made from it."""
    session, token = as_session_id(session_id), as_uuid(token_id) or NO_EVENT
    key = request_id(request)
    text = await at_head(request, "revoke_capability", session, token_id=token, request_id=key)
    return belief_answer(request, text)
