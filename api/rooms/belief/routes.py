"""Sessions and what they believe: declare, list, query, eliminate."""

from uuid import UUID, uuid4

from litestar import get, post
from litestar.params import FromPath

from cmbs.api.rooms.belief import answers, requests
from cmbs.api.shell.answer import Answer
from cmbs.api.shell.body_decoding import LARGE, read
from cmbs.api.shell.headers import (
    HttpRequest,
    as_of,
    as_session_id,
    expected_heads,
    number_of,
    query,
    truth_of,
    wanted_return,
)
from cmbs.api.shell.refusals import head_mismatch
from cmbs.api.shell.routes_common import (
    REFUSED,
    SESSION,
    as_array,
    as_sent,
    belief_answer,
    database,
    if_sent,
    tell,
)
from cmbs.errors import SessionNotFound


@post(
    "/v1/sessions",
    verb="DECLARE_SESSION",
    takes=requests.Declare,
    gives=answers.Declared,
    errors=(
        *("SPACE_NOT_FOUND", "POLICY_NOT_FOUND", "INCIDENT_NOT_FOUND"),
        *("CONFLICT of a session", "CONFLICT as 412"),
    ),
    creates=True,
    says="A session is one diagnosis: begin here.",
)
async def declare_session(request: HttpRequest) -> Answer:
    """Start a session from a set of hypotheses."""
    message = await read(request, requests.Declare, LARGE)
    declared = message.session_id or uuid4()
    # For the line in the log; other routes have it in their path.
    request.scope["state"]["session_id"] = declared
    arguments = {
        "session_id": declared,
        "ontology": as_sent(message.ontology),
        "hypotheses": as_array(message.hypotheses),
        "metadata": if_sent(message.metadata),
        "policy": if_sent(message.policy),
        "arbitration": if_sent(message.arbitration),
        "universe_from": if_sent(message.universe_from),
        "notes": message.notes,
        "minimal": wanted_return(request) != "",
    }
    if heads := expected_heads(request):
        await _refuse_if_new(request, declared, heads)
    answer = await database(request).call("declare_session", **arguments)
    if b'"duplicate": true' in answer[:160]:
        return belief_answer(request, answer)
    location = f"/v1/sessions/{declared}"
    return belief_answer(request, answer, 201, [(b"location", location.encode())])


@get(
    "/v1/sessions",
    gives=answers.Sessions,
    query=("limit", "cursor", "terminated", "hypothesis_space_id"),
    longest=500,
)
async def list_sessions(request: HttpRequest) -> Answer:
    """List sessions, newest first, without their survivors."""
    asked = query(request)
    answer = await database(request).call(
        "list_sessions",
        limit=number_of(asked, "limit"),
        cursor=asked.get("cursor"),
        terminated=truth_of(asked, "terminated"),
        hypothesis_space_id=asked.get("hypothesis_space_id"),
    )
    return Answer(answer)


@get(
    SESSION,
    verb="QUERY_BELIEF",
    gives=answers.Snapshot,
    query=("as_of",),
    errors=("SESSION_NOT_FOUND", "EVENT_NOT_FOUND"),
    says="`as_of` chooses an event or a time.",
)
async def query_belief(request: HttpRequest, session_id: FromPath[str]) -> Answer:
    """Read what a session believes, now or at an earlier time."""
    answer = await database(request).call(
        "query_belief",
        session_id=as_session_id(session_id),
        **as_of(query(request)),
        minimal=wanted_return(request) != "",
    )
    return belief_answer(request, answer)


@post(
    f"{SESSION}/eliminate",
    verb="ELIMINATE",
    takes=requests.Eliminate,
    gives=answers.Eliminated,
    errors=(*REFUSED, "CONFLICT of an observation", "INVALID_HYPOTHESIS_ID"),
    says="Nothing brings an eliminated hypothesis back.",
)
async def eliminate(request: HttpRequest, session_id: FromPath[str]) -> Answer:
    """Rule hypotheses out by the evidence of one observation."""
    message = await read(request, requests.Eliminate)
    return await tell(
        request,
        "eliminate",
        session_id,
        message,
        source_id=message.source_id,
        observation_id=message.observation_id,
        eliminated=as_array(message.eliminated),
        justification=if_sent(message.justification),
        notes=message.notes,
    )


@post(
    f"{SESSION}/eliminate/batch",
    verb="ELIMINATE",
    takes=requests.EliminateBatch,
    gives=answers.EliminatedBatch,
    errors=(*REFUSED, "CONFLICT of an observation", "INVALID_HYPOTHESIS_ID"),
    says="Use it where many observations come at once.",
)
async def eliminate_batch(request: HttpRequest, session_id: FromPath[str]) -> Answer:
    """Rule hypotheses out by many observations at once, all or nothing."""
    message = await read(request, requests.EliminateBatch)
    return await tell(
        request, "eliminate_batch", session_id, message, messages=as_sent(message.messages)
    )


async def _refuse_if_new(request: HttpRequest, declared: UUID, heads: list[UUID]) -> None:
    """A session that is not there has no head to match; one that is answers for itself."""
    try:
        await database(request).call("query_belief", session_id=declared, minimal=True)
    except SessionNotFound:
        raise head_mismatch(heads[0]) from None
