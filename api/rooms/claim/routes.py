"""Claims: what is held to be so, on which evidence, and until when."""

from litestar import get, post
from litestar.params import FromPath
from msgspec import Struct
from msgspec.json import Decoder, decode

from cmbs.api.rooms.claim import answers, requests
from cmbs.api.shell.answer import Answer
from cmbs.api.shell.body_decoding import read, read_as_sent
from cmbs.api.shell.headers import (
    NO_EVENT,
    HttpRequest,
    as_session_id,
    as_uuid,
    number_of,
    query,
    request_id,
    truth_of,
)
from cmbs.api.shell.routes_common import (
    REFUSED,
    SESSION,
    at_head,
    belief_answer,
    database,
    path_id,
    segment,
    tell,
)

_CLAIMS = f"{SESSION}/claims"


class _Recorded(Struct):
    claim_id: str | None
    duplicate: bool


_RECORDED = Decoder(_Recorded)


@post(
    _CLAIMS,
    verb="RECORD_CLAIM",
    takes=requests.RecordClaim,
    gives=answers.ClaimTold,
    says="A denial is an answer with status 200 and no `claim_id`.",
    errors=(*REFUSED, "CONFLICT of a request id"),
    creates=True,
    otherwise="It was denied, or known already.",
)
async def record_claim(request: HttpRequest, session_id: FromPath[str]) -> Answer:
    """Record a claim with its evidence, and let the policy decide."""
    session = as_session_id(session_id)
    message, claim = await read_as_sent(request, requests.RecordClaim)
    key = request_id(request)
    text = await at_head(request, "record_claim", session, claim=claim, request_id=key)
    recorded = _RECORDED.decode(text)
    if recorded.duplicate or recorded.claim_id is None:
        return belief_answer(request, text)
    where = f"/v1/sessions/{session}/claims?key={segment(decode(message.key))}"
    return belief_answer(request, text, 201, [(b"location", where.encode())])


@get(
    _CLAIMS,
    gives=answers.Claims,
    query=("key", "history", "limit"),
    longest=1_000,
    errors=("SESSION_NOT_FOUND",),
    says="It lists those that still count, or with `history` all that were ever recorded.",
)
async def list_claims(request: HttpRequest, session_id: FromPath[str]) -> Answer:
    """List the claims of a session, newest first."""
    asked = query(request)
    text = await database(request).call(
        "list_claims",
        session_id=as_session_id(session_id),
        key=asked.get("key"),
        history=truth_of(asked, "history"),
        limit=number_of(asked, "limit"),
    )
    return Answer(text)


@post(
    f"{_CLAIMS}/{{claim_id:str}}/promote",
    verb="RECORD_CLAIM",
    takes=requests.PromoteClaim,
    gives=answers.ClaimTold,
    errors=(*REFUSED, "CONFLICT of a request id", "CLAIM_NOT_FOUND"),
    says="The new evidence must be a source or a confirmation that was not cited before.",
)
async def promote_claim(
    request: HttpRequest, session_id: FromPath[str], claim_id: FromPath[str]
) -> Answer:
    """Record a claim again as a stronger kind, with new evidence."""
    session = as_session_id(session_id)
    _, evidence = await read_as_sent(request, requests.PromoteClaim)
    text = await at_head(
        request,
        "promote_claim",
        session,
        claim_id=as_uuid(claim_id) or NO_EVENT,
        evidence=evidence,
        request_id=request_id(request),
    )
    return belief_answer(request, text)


@post(
    f"{_CLAIMS}/{{key:str}}/confirm",
    verb="CONFIRM_CLAIM",
    takes=requests.ConfirmClaim,
    gives=answers.Confirmed,
    errors=(*REFUSED, "CONFLICT of a request id"),
    says="For approvers. A claim can cite the event as its confirmation.",
)
async def confirm_claim(
    request: HttpRequest, session_id: FromPath[str], key: FromPath[str]
) -> Answer:
    """Confirm the value that is claimed for a key."""
    message = await read(request, requests.ConfirmClaim)
    return await tell(
        request,
        "confirm_claim",
        session_id,
        message,
        key=path_id("key", key),
        value_digest=message.value_digest,
        comment=message.comment,
        notes=message.notes,
        request_id=request_id(request),
    )
