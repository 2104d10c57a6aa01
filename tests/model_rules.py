"""Rules that the verbs of the model share."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from tests.model import (
    ONTOLOGY,
    Event,
    Json,
    Refused,
    Session,
    Universe,
    canonical,
    check_id,
    check_ids,
    check_notes,
    free_object,
)

_MESSAGE = {"session_id", "source_id", "observation_id", "eliminated", "justification", "notes"}


def request_of(record: Json, hypotheses: Sequence[str]) -> Json:
    sent = dict(record["payload"])
    for decided in ("approved", "accepted", "reason", "universe_digest", "n_hypotheses"):
        sent.pop(decided, None)
    if "waive_reason" in sent:
        sent["reason"] = sent.pop("waive_reason")
    for name in {"ontology", "metadata", "policy", "justification", "context"} & sent.keys():
        sent[name] = canonical(sent[name])
    if record["verb"] == "DECLARE_SESSION":
        sent["hypotheses"] = hypotheses
    return sent | {"notes": record.get("notes")}


def universe_of(hypotheses: Sequence[str | None] | None) -> Universe:
    ids = check_ids(hypotheses)
    if not ids:
        raise Refused("MB201")
    return Universe(ids)


def bundle_of(ontology: str) -> Json:
    bundle = free_object(ontology) or {}
    if unknown := sorted(set(bundle) - ONTOLOGY):
        raise Refused("MB201", unknown=unknown)
    for name in ONTOLOGY:
        value = bundle.get(name)
        check_id(value if isinstance(value, str) else None, 2048)
    return bundle


def message_of(message: Any, session_id: UUID) -> tuple[tuple[str, str], list[str], Json, Any]:
    if not isinstance(message, dict):
        raise Refused("MB201")
    if unknown := sorted(set(message) - _MESSAGE):
        raise Refused("MB201", unknown=unknown)
    texts = [message.get(name) for name in ("source_id", "observation_id", "notes", "session_id")]
    ids = message.get("eliminated")
    why = message.get("justification")
    if not all(text is None or isinstance(text, str) for text in texts):
        raise Refused("MB201")
    if not isinstance(ids, list) or not all(isinstance(one, str) for one in ids):
        raise Refused("MB201")
    if not _names(texts[3], session_id) or not (why is None or isinstance(why, dict)):
        raise Refused("MB201")
    check_notes(texts[2])
    return (check_id(texts[0]), check_id(texts[1])), check_ids(ids), why or {}, texts[2]


def _names(text: str | None, session_id: UUID) -> bool:
    try:
        return text is None or UUID(text) == session_id
    except ValueError:
        return False


@contextmanager
def indexed(no: int) -> Iterator[None]:
    try:
        yield
    except Refused as refused:
        raise Refused(refused.state, **refused.details, index=no) from None


def check_open(session: Session, expected_head: UUID | None) -> None:
    if expected_head is not None and str(expected_head) != session.head.id:
        raise Refused("MB103")
    if session.terminated:
        raise Refused("MB101")


def active_obligation(session: Session, obligation_id: str) -> Json:
    if not session.active or session.active["obligation_id"] != obligation_id:
        raise Refused("MB002")
    return session.active


def end_obligation(session: Session, state: str) -> None:
    ended = active_obligation(session, session.active["obligation_id"] if session.active else "")
    ended["state"], ended["at_end"] = state, len(session.survivors)
    session.active = None


def event_of(session: Session, event_id: UUID) -> Event:
    for event in session.events:
        if event.id == str(event_id):
            return event
    raise Refused("MB003")


def event_as_shown(session: Session, event: Event) -> Json:
    shown = event.record | {"event_hash": event.hash}
    if event.record["seq"] == 1:
        shown["payload"] = event.payload | {"hypotheses": session.universe.ids}
    return shown


def snapshot_as_shown(snapshot: Json, minimal: bool) -> Json:
    hidden = {"survivors"} if minimal else set()
    return {name: value for name, value in snapshot.items() if name not in hidden}


def answer(session: Session, outcome: Json, event: Event, repeat: bool, minimal: bool) -> Json:
    snapshot = snapshot_as_shown(session.head.snapshot, minimal)
    about = {"audit_event_id": event.id, "duplicate": repeat, "snapshot": snapshot}
    return outcome | about
