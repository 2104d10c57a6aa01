"""A session from its log: the chain is verified, then every message is sent again, to a server of
nothing else, and must lead to the very event that is recorded.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn
from uuid import UUID

from cmbs.kernel import shapes
from cmbs.kernel.answers import AuditEntry, BeliefServerError, OntologyBundle
from cmbs.kernel.canonical import hash_text
from cmbs.kernel.event_log import Stamp, seq_of
from cmbs.kernel.session import BeliefSession
from cmbs.spi.elimination_store import RecoveredState

if TYPE_CHECKING:
    from cmbs.kernel.belief_server import BeliefServer

_ONTOLOGY = tuple(OntologyBundle.__dataclass_fields__)


def replayed(
    server: "BeliefServer", session_id: str, recovered: RecoveredState, audit_events: object
) -> tuple[BeliefSession, list[AuditEntry]]:
    """The session that a log leads to on an empty server, and the events of the log."""
    entries, ids = _check_log(session_id, recovered, audit_events)
    server._stamp = _recorded_stamp(entries)
    for entry in entries:
        _send_again(server, session_id, ids, entry)
    session = server._sessions.of(session_id).session
    _check_survivors(session, recovered)
    return session, entries


def _check_log(
    session_id: str, recovered: object, audit_events: object
) -> tuple[list[AuditEntry], list[str]]:
    """Verify the chain of a log: its events, and the hypotheses that it was declared with."""
    declared, _ = (
        shapes.check_ids(f"recovered.{name}", getattr(recovered, name, None))
        for name in ("hypothesis_ids", "survivors")
    )
    # A hash commits to the session, whether its entry names it or not.
    entries = [
        replace(entry, session_id=session_id) if entry.session_id == "" else entry
        for entry in _check_beginning(audit_events)
    ]
    first = entries[0]
    for entry in entries:
        if entry.verb == "APPLY_PROBE":
            _refuse(entry, "what a provider said cannot be replayed")
    previous = "0" * 64
    for no, entry in enumerate(entries, start=1):
        _check_link(session_id, no, previous, entry)
        previous = entry.event_hash
    ids = sorted({*declared})
    if first.payload.get("hypotheses", ids) != ids:
        _refuse(first, "the store has other hypotheses")
    return entries, ids


def _check_beginning(audit_events: object) -> list[AuditEntry]:
    if isinstance(audit_events, str | bytes | Mapping) or not isinstance(audit_events, Iterable):
        shapes.refuse("audit_events", "must be a list of entries of an audit trace")
    entries = list(audit_events)
    if not entries:
        shapes.refuse("audit_events", "must hold at least one event")
    for entry in entries:
        if not isinstance(entry, AuditEntry) or not isinstance(entry.payload, dict):
            shapes.refuse("audit_events", "must hold entries of an audit trace")
    first = entries[0]
    if first.verb != "DECLARE_SESSION":
        shapes.refuse("audit_events", "must begin with DECLARE_SESSION")
    ontology = first.payload.get("ontology")
    if not isinstance(ontology, dict) or not all(ontology.get(name) for name in _ONTOLOGY):
        shapes.refuse("audit_events", "DECLARE_SESSION must have the four fields of its ontology")
    return entries


def _check_link(session_id: str, no: int, previous: str, entry: AuditEntry) -> None:
    try:
        found, event_id = hash_text(entry.record()), str(UUID(entry.event_id))
    except (AttributeError, OverflowError, RecursionError, TypeError, ValueError):
        _refuse(entry, "it is no event")
    if entry.seq != no or entry.event_id != event_id or seq_of(event_id) != no:
        _refuse(entry, f"its number is not {no}")
    if entry.session_id != session_id:
        _refuse(entry, "it is of another session")
    if entry.prev_event_hash != previous:
        _refuse(entry, "it does not follow the event before it")
    if found != entry.event_hash:
        _refuse(entry, "its hash is not that of its record")


def _recorded_stamp(entries: Sequence[AuditEntry]) -> Stamp:
    def stamp(seq: int, last: float) -> tuple[str, float, str]:
        entry = entries[seq - 1]
        # An earlier time than that of the event before it leads to another record.
        return entry.event_id, max(entry.ts, last), shapes.check_id("actor", entry.actor)

    return stamp


def _send_again(
    server: "BeliefServer", session_id: str, ids: Sequence[str], entry: AuditEntry
) -> None:
    try:
        event_id = _send(server, session_id, ids, entry, entry.payload)
    except BeliefServerError as error:
        _refuse(entry, f"sent again it is refused: {error.code}")
    except (KeyError, TypeError):
        _refuse(entry, "it lacks what its verb needs")
    if event_id != entry.event_id:
        _refuse(entry, "its message was recorded before")
    if server.query_belief(session_id).audit_head_hash != entry.event_hash:
        _refuse(entry, "sent again it does not lead to what is recorded")


def _send(
    server: "BeliefServer",
    session_id: str,
    ids: Sequence[str],
    entry: AuditEntry,
    sent: dict[str, Any],
) -> str:
    """The id of the event that the message leads to."""
    notes = entry.notes
    about: dict[str, Any] = {"request_id": sent.get("request_id"), "notes": notes}
    match entry.verb:
        case "DECLARE_SESSION":
            metadata, policy = sent.get("metadata"), sent["policy"]
            bundle = OntologyBundle(**sent["ontology"])
            return server.declare_session(
                bundle, ids, metadata, policy=policy, session_id=session_id, notes=notes
            ).snapshot.audit_head_event_id
        case "ELIMINATE":
            source_id, observation_id = sent["source_id"], sent["observation_id"]
            asked, why = sent["eliminated"], sent["justification"]
            return server.eliminate(
                session_id, source_id, observation_id, asked, why, notes=notes
            ).event_id
        case "ENTER_OBLIGATION":
            minimum = sent["min_total_eliminations"]
            return server.enter_obligation(
                session_id, sent["obligation_id"], minimum, **about
            ).event_id
        case "REQUEST_EXIT":
            return server.request_exit(
                session_id, sent["obligation_id"], sent["context"], **about
            ).event_id
        case "WAIVE_OBLIGATION":
            return server.waive_obligation(
                session_id, sent["obligation_id"], sent["waive_reason"], **about
            ).event_id
        case "DECLARE_CONCLUSION":
            return server.declare_conclusion(
                session_id, sent["conclusion_id"], sent["context"], **about
            ).event_id
        case "REQUEST_TERMINATION":
            return server.request_termination(session_id, sent["context"], **about).event_id
    _refuse(entry, "its verb is not known")


def _check_survivors(session: BeliefSession, recovered: RecoveredState) -> None:
    survivors, stored = session.core.survivors, frozenset(recovered.survivors)
    if survivors != stored:
        raise BeliefServerError(
            "CONFLICT",
            "The store and the log do not lead to the same survivors.",
            {
                "survive_only_in_store": sorted(stored - survivors)[:100],
                "survive_only_in_log": sorted(survivors - stored)[:100],
            },
        )


def _refuse(entry: AuditEntry, reason: str) -> NoReturn:
    raise BeliefServerError(
        "CONFLICT",
        "The events are not the log of this session.",
        {"event_id": entry.event_id, "seq": entry.seq, "reason": reason},
    )
