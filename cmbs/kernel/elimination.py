"""ELIMINATE in this process: one message, a batch of them, or what a provider says."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from cmbs.kernel import shapes
from cmbs.kernel.answers import BeliefServerError, Eliminated, Observed, repeated
from cmbs.kernel.canonical import parse, quoted
from cmbs.kernel.event_log import Event, ids_text, seq_of
from cmbs.kernel.gates import Gate, recorded_request
from cmbs.kernel.messages import EliminateMessage
from cmbs.kernel.session import BeliefSession, Publish, payload_text

_MAX_IDS = 1_000_000
_MAX_MESSAGES = 1000
_MEMBERS = ("source_id", "observation_id", "eliminated", "justification", "notes")


class Message(NamedTuple):
    """A message whose shape is right; the justification is canonical text."""

    source_id: str
    observation_id: str
    eliminated: list[str]
    justification: str
    notes: str | None

    @property
    def identity(self) -> tuple[str, str]:
        return self.source_id, self.observation_id


def message_of(
    source_id: object,
    observation_id: object,
    eliminated: object,
    justification: object = None,
    notes: object = None,
) -> Message:
    """A message as the caller gave it, if its shape is right."""
    why = shapes.free_object("justification", justification)
    shapes.check_notes(notes)
    return Message(
        shapes.check_id("source_id", source_id),
        shapes.check_id("observation_id", observation_id),
        shapes.check_ids("eliminated", eliminated, _MAX_IDS),
        why,
        notes if isinstance(notes, str) else None,
    )


def messages_of(session_id: object, messages: object) -> list[Message]:
    """The messages of a batch."""
    if isinstance(messages, str | bytes | Mapping) or not isinstance(messages, Iterable):
        shapes.refuse("messages", "must be a list of ELIMINATE messages")
    given = list(islice(messages, _MAX_MESSAGES + 1))
    if not given:
        shapes.refuse("messages", f"must hold 1 to {_MAX_MESSAGES} messages")
    if len(given) > _MAX_MESSAGES:
        shapes.refuse_size("messages", f"{_MAX_MESSAGES} messages")
    checked = []
    for no, one in enumerate(given):
        try:
            checked.append(_message_of_batch(session_id, one))
        except BeliefServerError as error:
            raise _indexed(error, no, 0) from None
    return checked


def _message_of_batch(session_id: object, message: object) -> Message:
    if isinstance(message, EliminateMessage):
        message = message.to_dict()
    if not isinstance(message, Mapping):
        shapes.refuse("messages", "every message must be a JSON object")
    shapes.check_members("messages", message, ("session_id", *_MEMBERS))
    named = message.get("session_id")
    chosen = shapes.uniform_uuid("session_id", session_id)
    if named is not None and shapes.check_uuid("session_id", named) != chosen:
        shapes.refuse("session_id", "must be the session of the batch")
    return message_of(*(message.get(name) for name in _MEMBERS))


class Outcome(NamedTuple):
    """What a message did, or had done when it was recorded."""

    applied: list[str]
    ignored: list[str]
    event_id: str
    duplicate: bool

    def answer(self, session: BeliefSession) -> Eliminated:
        eliminated = Eliminated(self.applied, self.ignored, session.snapshot(), self.event_id)
        return repeated(eliminated, self.duplicate)

    def observed(self) -> Observed:
        return repeated(Observed(self.applied, self.ignored, self.event_id), self.duplicate)


class _Step(NamedTuple):
    """A message with its event to be, and the mask after it."""

    message: Message
    event: Event
    applied: list[str]
    mask: bytes


# Called once all messages have passed, with what each eliminates; what it raises undoes the verb.
Persist = Callable[[Sequence[tuple[Message, Sequence[str]]]], None]


def eliminate(
    session: BeliefSession,
    messages: Sequence[Message],
    expected_head: frozenset[str] | None,
    persist: Persist | None,
    publish: Publish,
    *,
    is_batch: bool,
) -> list[Outcome]:
    """All of the messages, or none."""
    steps: dict[tuple[str, str], _Step] = {}
    outcomes = []
    last: _Step | None = None
    for no, message in enumerate(messages):
        try:
            if recorded := _recorded(session, message, steps):
                outcomes.append(recorded)
                continue
            if not last:
                session.check_open(expected_head)
            _check_known(session, message.eliminated)
        except BeliefServerError as error:
            if not is_batch:
                raise
            raise _indexed(error, no, len(session.log.events)) from None
        last = steps[message.identity] = _next_step(session, message, last)
        outcomes.append(_outcome(last.event, message.eliminated, last.applied, False))
    if steps:
        if persist:
            persist([(step.message, step.applied) for step in steps.values()])
        publish([step.event for step in steps.values()])
    for step in steps.values():
        session.lose(step.event, step.message.observation_id, step.applied, step.mask)
        session.log.observations[step.message.identity] = step.event.seq
    return outcomes


def apply_probe(
    session: BeliefSession,
    probe_id: str,
    response: str,
    source_id: str,
    ruled_out: Callable[[], set[str]],
    gate: Gate,
) -> Outcome:
    """What a provider says is ruled out by a response (canonical text) to a probe of its."""
    log = session.log
    members = {
        "probe_id": quoted(probe_id),
        "response": response,
        "source_id": quoted(source_id),
    }
    if gate.request_id is not None:
        if (seq := log.requests.get(gate.request_id)) is not None:
            event = log.events[seq - 1]
            record = recorded_request(event, "APPLY_PROBE", members, gate.request_id)
            return Outcome(record["delta"]["eliminated"], [], event.event_id, True)
        members["request_id"] = quoted(gate.request_id)
    session.check_open(gate.expected_head)
    payload, gone = payload_text(members), ruled_out()
    event, applied, mask = _next_event(
        session, log.head, session.mask, "APPLY_PROBE", payload, gate.notes, gone
    )
    gate.publish([event])
    session.lose(event, probe_id, applied, mask)
    if gate.request_id is not None:
        log.requests[gate.request_id] = event.seq
    return Outcome(applied, [], event.event_id, False)


def _next_step(session: BeliefSession, message: Message, last: _Step | None) -> _Step:
    previous, mask = (last.event, last.mask) if last else (session.log.head, session.mask)
    payload = (
        f'{{"source_id": {quoted(message.source_id)}, '
        f'"eliminated": {ids_text(message.eliminated)}, '
        f'"justification": {message.justification}, '
        f'"observation_id": {quoted(message.observation_id)}}}'
    )
    asked, notes = set(message.eliminated), message.notes
    made = _next_event(session, previous, mask, "ELIMINATE", payload, notes, asked)
    return _Step(message, *made)


def _next_event(
    session: BeliefSession,
    previous: Event,
    mask: bytes,
    verb: str,
    payload: str,
    notes: str | None,
    asked: set[str],
) -> tuple[Event, list[str], bytes]:
    """The event, what it eliminates, and the mask after it: for the cost of what is asked."""
    universe, after_hash = session.universe, previous.survivors_hash
    applied = sorted(one for one in asked if universe.survives(mask, one))
    if applied:
        mask = universe.without(mask, applied)
        after_hash = universe.survivors_hash(mask)
    event = session.log.next_event(previous, verb, payload, notes, after_hash, applied)
    return event, applied, mask


def _outcome(event: Event, asked: Sequence[str], applied: list[str], duplicate: bool) -> Outcome:
    # A copy: the list may be that of a repeat in the same batch.
    return Outcome([*applied], sorted({*asked}.difference(applied)), event.event_id, duplicate)


def _recorded(
    session: BeliefSession, message: Message, steps: dict[tuple[str, str], _Step]
) -> Outcome | None:
    """The answer to a message that is in the log, or came earlier in the batch."""
    if (seq := session.log.observations.get(message.identity)) is not None:
        event = session.log.events[seq - 1]
        record = parse(event.record)
        sent, applied = record["payload"]["eliminated"], record["delta"]["eliminated"]
    elif step := steps.get(message.identity):
        event, sent, applied = step.event, step.message.eliminated, step.applied
    else:
        return None
    if set(sent) != set(message.eliminated):
        raise BeliefServerError(
            "CONFLICT",
            "This observation was recorded with other content.",
            {
                "audit_event_id": event.event_id,
                "source_id": message.source_id,
                "observation_id": message.observation_id,
            },
        )
    return _outcome(event, sent, applied, True)


def _check_known(session: BeliefSession, ids: Sequence[str]) -> None:
    if not session.policy.validate_hypotheses:
        return
    if invalid := sorted({one for one in ids if one not in session.universe}):
        raise BeliefServerError(
            "INVALID_HYPOTHESIS_ID",
            "Some ids are not hypotheses of this session.",
            {"invalid": invalid[:100], "n_invalid": len(invalid)},
        )


def _indexed(error: BeliefServerError, no: int, n_recorded: int) -> BeliefServerError:
    """In a batch an error says which message it is of, and names no event that is not to be."""
    details = dict(error.details or {}) | {"index": no}
    if seq_of(details.get("audit_event_id", "")) > n_recorded:
        del details["audit_event_id"]
    return BeliefServerError(error.code, error.message, details)
