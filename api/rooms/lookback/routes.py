"""Looking back on a session: why it stands where it does, what changed, and what if."""

from litestar import get
from litestar.params import FromPath

from cmbs.api.rooms.lookback import answers
from cmbs.api.shell import refusals
from cmbs.api.shell.answer import Answer
from cmbs.api.shell.headers import (
    HttpRequest,
    as_session_id,
    number_of,
    query,
    uuid_of,
)
from cmbs.api.shell.refusals import invalid
from cmbs.api.shell.routes_common import SESSION, belief_answer, database, path_id
from cmbs.errors import InvalidHypothesisId


@get(
    f"{SESSION}/explain",
    gives=answers.Explained,
    query=("hypothesis_id", "limit"),
    longest=1_000,
    errors=("SESSION_NOT_FOUND", "INVALID_HYPOTHESIS_ID"),
    says="With `hypothesis_id` it says why that one is gone.",
)
async def explain(request: HttpRequest, session_id: FromPath[str]) -> Answer:
    """Explain what ruled hypotheses out, and how near the gates are."""
    asked = query(request)
    text = await database(request).call(
        "explain",
        session_id=as_session_id(session_id),
        hypothesis_id=asked.get("hypothesis_id"),
        limit=number_of(asked, "limit"),
    )
    return belief_answer(request, text)


@get(
    f"{SESSION}/diff",
    gives=answers.Diff,
    query=("from", "to", "limit"),
    needs=("from", "to"),
    longest=1_000,
    errors=("SESSION_NOT_FOUND", "EVENT_NOT_FOUND"),
    says="The order in which you name them does not matter.",
)
async def diff(request: HttpRequest, session_id: FromPath[str]) -> Answer:
    """Compare what a session believed after two events."""
    session, asked = as_session_id(session_id), query(request)
    for name in ("from", "to"):
        if name not in asked:
            raise invalid(name, "is missing")
    text = await database(request).call(
        "diff",
        session_id=session,
        from_event_id=uuid_of(asked, "from"),
        to_event_id=uuid_of(asked, "to"),
        limit=number_of(asked, "limit"),
    )
    return Answer(text)


@get(
    f"{SESSION}/whatif",
    gives=answers.WhatIf,
    query=("without_source", "without_observation", "limit"),
    longest=1_000,
    errors=("SESSION_NOT_FOUND", "EVENT_NOT_FOUND of a message"),
    says="Use it when you doubt a source or an observation; the session stays as it is.",
)
async def whatif(request: HttpRequest, session_id: FromPath[str]) -> Answer:
    """See what would have been answered without a source or an observation."""
    asked = query(request)
    text = await database(request).call(
        "whatif",
        session_id=as_session_id(session_id),
        without_source=asked.get("without_source"),
        without_observation=asked.get("without_observation"),
        limit=number_of(asked, "limit"),
    )
    return Answer(text)


@get(
    f"{SESSION}/hypotheses/{{hypothesis_id:str}}",
    gives=answers.Why,
    errors=("SESSION_NOT_FOUND", "INVALID_HYPOTHESIS_ID as 404"),
    exception_handlers={InvalidHypothesisId: refusals.not_in_universe},
)
async def why(
    request: HttpRequest, session_id: FromPath[str], hypothesis_id: FromPath[str]
) -> Answer:
    """Find out whether a hypothesis survives, or which event ruled it out."""
    text = await database(request).call(
        "why",
        session_id=as_session_id(session_id),
        hypothesis_id=path_id("hypothesis_id", hypothesis_id),
    )
    return Answer(text)
