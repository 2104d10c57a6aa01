"""Looking back on a session: why it stands where it does, what changed, and what if."""

from litestar import get
from litestar.params import FromPath

from . import history_answers as answers
from .answer import Answer
from .calling import SESSION, belief_answer, database
from .headers import Asked, as_session_id, number_of, query, uuid_of
from .refusals import invalid


@get(
    f"{SESSION}/explain",
    gives=answers.Explained,
    query=("hypothesis_id", "limit"),
    longest=1_000,
    errors=("SESSION_NOT_FOUND", "INVALID_HYPOTHESIS_ID"),
)
async def explain(request: Asked, session_id: FromPath[str]) -> Answer:
    """Who eliminated what, and how near the gates are; or why one hypothesis is gone."""
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
)
async def diff(request: Asked, session_id: FromPath[str]) -> Answer:
    """What changed from one event to another, whichever is named first."""
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
)
async def whatif(request: Asked, session_id: FromPath[str]) -> Answer:
    """What would have been answered without some messages: of a source, an observation, or both."""
    asked = query(request)
    text = await database(request).call(
        "whatif",
        session_id=as_session_id(session_id),
        without_source=asked.get("without_source"),
        without_observation=asked.get("without_observation"),
        limit=number_of(asked, "limit"),
    )
    return Answer(text)
