"""The reads of the protocol, each written once for both clients."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from cmbs.client import chain, log
from cmbs.client.chain import Head
from cmbs.client.flow import Conversation, Listing
from cmbs.client.found import (
    Alive,
    Conclusion,
    EliminatedBy,
    FirstBad,
    Obligation,
    Ready,
    RegisteredSpace,
    Space,
    Verified,
    Why,
    found,
)
from cmbs.client.log import Audit
from cmbs.client.looking_back import Diff, Explained, WhatIf, as_kind
from cmbs.client.pages import listing
from cmbs.client.proof import CheckedAudit
from cmbs.client.request import (
    Members,
    Proof,
    Request,
    body_of,
    get,
    ids,
    message_headers,
    optional_text,
    preference,
    segment,
    session_path,
    uuid_text,
)
from cmbs.kernel.answers import AuditEntry, BeliefSnapshot, SessionId


def query_belief(
    session_id: SessionId,
    as_of: str | UUID | datetime | None = None,
    *,
    minimal: bool = False,
) -> Request[BeliefSnapshot]:
    """What a session believes: now, right after an event, or as of a time with its zone."""
    at = as_of.isoformat() if isinstance(as_of, datetime) else as_of
    asked = get(session_path(session_id), BeliefSnapshot.from_dict, as_of=at)
    chosen = uuid_text("session_id", session_id)

    def proof(answer: Members) -> Proof:
        return Proof([Head.of_snapshot(chosen, answer)], is_now=at is None)

    return replace(asked, headers=preference(minimal), session_id=chosen, proof=proof)


def audit_stream(
    session_id: SessionId, since_event_id: str | UUID | None = None
) -> Listing[AuditEntry]:
    """The events after the given one, or all, one at a time however long the log is.

    When the connection is lost it goes on by itself after the last event that it gave.
    """
    session = uuid_text("session_id", session_id)
    since = None if since_event_id is None else uuid_text("since_event_id", since_event_id)

    def begin(conversation: Conversation) -> Audit | CheckedAudit:
        if conversation.ledger is None:
            return Audit(session, since, conversation)
        return CheckedAudit(session, since, conversation, conversation.ledger)

    return begin


def audit_event(session_id: SessionId, event_id: str | UUID) -> Request[AuditEntry]:
    """One event of the log."""
    chosen = uuid_text("session_id", session_id)

    def proof(answer: Members) -> Proof:
        entry = chain.check_event(chosen, AuditEntry.from_dict(answer))
        if entry.event_id != uuid_text("event_id", event_id):
            raise ValueError("another event was answered")
        return Proof([Head.of(entry)])

    return replace(log.event(session_id, event_id), session_id=chosen, proof=proof)


def list_sessions(
    *, terminated: bool | None = None, hypothesis_space_id: str | None = None
) -> Listing[BeliefSnapshot]:
    """Every session, newest first, as a snapshot that does not tell its survivors."""
    space = optional_text("hypothesis_space_id", hypothesis_space_id)
    filters = {"terminated": terminated, "hypothesis_space_id": space}
    return listing(
        "/v1/sessions", "cursor", "sessions", "next_cursor", BeliefSnapshot.from_dict, **filters
    )


def verify(session_id: SessionId) -> Request[Verified]:
    """Have the server recompute a session from its log and compare; a broken log is an answer."""
    return get(session_path(session_id, "verify"), _verified)


def why(session_id: SessionId, hypothesis_id: str) -> Request[Why]:
    """Whether a hypothesis survives, and if not, the event that eliminated it."""
    path = session_path(session_id, "hypotheses", segment("hypothesis_id", hypothesis_id))
    return get(path, _why)


def list_obligations(session_id: SessionId) -> Request[list[Obligation]]:
    """Every obligation of a session, with its state."""
    return get(
        session_path(session_id, "obligations"),
        lambda answer: [found(Obligation, one) for one in answer["obligations"]],
    )


def list_conclusions(session_id: SessionId) -> Request[list[Conclusion]]:
    """Every conclusion declared in a session, accepted or not."""
    return get(
        session_path(session_id, "conclusions"),
        lambda answer: [found(Conclusion, one) for one in answer["conclusions"]],
    )


def explain(
    session_id: SessionId, hypothesis_id: str | None = None, limit: int | None = None
) -> Request[Explained]:
    """Who eliminated what, and how near the gates are; or why one hypothesis is gone."""
    path = session_path(session_id, "explain")
    return get(
        path,
        lambda answer: as_kind(Explained, answer),
        hypothesis_id=optional_text("hypothesis_id", hypothesis_id),
        limit=limit,
    )


def diff(
    session_id: SessionId,
    from_event_id: str | UUID,
    to_event_id: str | UUID,
    limit: int | None = None,
) -> Request[Diff]:
    """What changed from one event to another, whichever is named first."""
    path = session_path(session_id, "diff")
    query = {"from": from_event_id, "to": to_event_id, "limit": limit}
    return get(path, lambda answer: as_kind(Diff, answer), **query)


def whatif(
    session_id: SessionId,
    without_source: str | None = None,
    without_observation: str | None = None,
    limit: int | None = None,
) -> Request[WhatIf]:
    """What would have been answered without the messages of a source, an observation, or both."""
    return get(
        session_path(session_id, "whatif"),
        lambda answer: as_kind(WhatIf, answer),
        without_source=optional_text("without_source", without_source),
        without_observation=optional_text("without_observation", without_observation),
        limit=limit,
    )


def register_space(
    hypothesis_space_id: str, hypothesis_version: str, hypotheses: Iterable[str]
) -> Request[RegisteredSpace]:
    """Register a set of hypotheses under a name and a version, for ever."""
    return Request(
        "PUT",
        _space(hypothesis_space_id, hypothesis_version),
        lambda answer: found(RegisteredSpace, answer),
        headers=message_headers(None, None, False),
        body=body_of({"hypotheses": ids("hypotheses", hypotheses)}),
    )


def read_space(
    hypothesis_space_id: str, hypothesis_version: str, *, tenant: str | None = None
) -> Request[Space]:
    """A registered hypothesis space with its hypotheses; who sees every tenant may name one."""
    path = _space(hypothesis_space_id, hypothesis_version)
    return get(path, lambda answer: found(Space, answer), tenant=optional_text("tenant", tenant))


def healthz() -> Request[Alive]:
    """Whether the server runs; the database is not asked."""
    return get("/healthz", lambda answer: found(Alive, answer))


def readyz() -> Request[Ready]:
    """Whether the database answers and has the schema of the server's version."""
    return get("/readyz", lambda answer: found(Ready, answer))


def _space(hypothesis_space_id: str, hypothesis_version: str) -> str:
    name = segment("hypothesis_space_id", hypothesis_space_id)
    return (
        f"/v1/hypothesis-spaces/{name}/versions/{segment('hypothesis_version', hypothesis_version)}"
    )


def _verified(answer: Members) -> Verified:
    verified, bad = found(Verified, answer), answer["first_bad"]
    return replace(verified, first_bad=bad and found(FirstBad, bad))


def _why(answer: Members) -> Why:
    why, by = found(Why, answer), answer["eliminated_by"]
    return replace(why, eliminated_by=by and found(EliminatedBy, by))
