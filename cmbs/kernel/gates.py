"""The gates in this process: obligations, conclusions, termination, as the protocol decides."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from cmbs.kernel.answers import BeliefServerError, Decision, repeated
from cmbs.kernel.canonical import canonical, parse, quoted
from cmbs.kernel.event_log import Event
from cmbs.kernel.session import BeliefSession, Publish, payload_text


class Gate(NamedTuple):
    """What every message to a gate has."""

    request_id: str | None
    expected_head: frozenset[str] | None
    notes: str | None
    publish: Publish


class Verdict(NamedTuple):
    approved: bool
    reason: str
    event_id: str
    duplicate: bool

    def decision(self, session: BeliefSession) -> Decision:
        decision = Decision(self.approved, self.reason, session.snapshot(), self.event_id)
        return repeated(decision, self.duplicate)


class _Decided(NamedTuple):
    """What is decided, as members of the payload, and what follows from it."""

    approved: bool
    reason: str
    change: Callable[[], None] | None
    members: dict[str, str]


def enter_obligation(
    session: BeliefSession, obligation_id: str, minimum: int, gate: Gate
) -> Verdict:
    def decide() -> _Decided:
        if session.obligation_id is not None:
            raise BeliefServerError(
                "CONFLICT",
                "An obligation is active already.",
                {"active_obligation_id": session.obligation_id},
            )
        return _Decided(True, "", enter, {})

    def enter() -> None:
        session.core.enter_obligation(obligation_id, minimum)
        session.obligation_id, session.minimum = obligation_id, minimum

    content = {"obligation_id": quoted(obligation_id), "min_total_eliminations": str(minimum)}
    return _pass(session, "ENTER_OBLIGATION", content, decide, gate)


def request_exit(session: BeliefSession, obligation_id: str, context: str, gate: Gate) -> Verdict:
    def decide() -> _Decided:
        _check_active(session, obligation_id)
        approved = session.core.obligation_count(obligation_id) >= session.minimum
        reason = "approved" if approved else "minimum eliminations not met"
        leave = partial(_leave, session, obligation_id) if approved else None
        return _decided("approved", approved, reason, leave, context)

    content = {"obligation_id": quoted(obligation_id)}
    return _pass(session, "REQUEST_EXIT", content, decide, gate)


def waive_obligation(session: BeliefSession, obligation_id: str, why: str, gate: Gate) -> Verdict:
    def decide() -> _Decided:
        _check_active(session, obligation_id)
        leave = partial(_leave, session, obligation_id)
        return _decided("approved", True, "waived", leave)

    content = {"obligation_id": quoted(obligation_id), "waive_reason": quoted(why)}
    return _pass(session, "WAIVE_OBLIGATION", content, decide, gate)


def declare_conclusion(
    session: BeliefSession, conclusion_id: str, context: str, gate: Gate
) -> Verdict:
    def decide() -> _Decided:
        accepted = session.obligation_id is None
        reason = "accepted" if accepted else "active obligation blocks conclusion"
        # The core knows of accepted ones alone: they feed the stability window.
        keep = partial(session.core.declare_conclusion, conclusion_id) if accepted else None
        return _decided("accepted", accepted, reason, keep, context)

    content = {"conclusion_id": quoted(conclusion_id)}
    return _pass(session, "DECLARE_CONCLUSION", content, decide, gate)


def request_termination(session: BeliefSession, context: str, gate: Gate) -> Verdict:
    def decide() -> _Decided:
        reason = _termination_reason(session, parse(context).get("force") is True)
        approved = reason in ("approved", "approved by force")
        end = session.core.terminate if approved else None
        return _decided("approved", approved, reason, end, context)

    return _pass(session, "REQUEST_TERMINATION", {}, decide, gate)


def _termination_reason(session: BeliefSession, is_forced: bool) -> str:
    is_singleton = session.core.survivor_count == 1
    if session.obligation_id is not None:
        return "active obligation blocks termination"
    if is_forced and session.policy.allow_forced_termination:
        return "approved by force"
    if is_singleton and session.core.is_stable:
        return "approved"
    if is_forced:
        return "force not allowed by policy"
    return "conclusion not stable" if is_singleton else "termination requires a singleton survivor"


def _pass(
    session: BeliefSession,
    verb: str,
    content: dict[str, str],
    decide: Callable[[], _Decided],
    gate: Gate,
) -> Verdict:
    """A message to a gate; its content is what makes it the same when it is sent again."""
    log = session.log
    if gate.request_id is not None and (seq := log.requests.get(gate.request_id)) is not None:
        event = log.events[seq - 1]
        payload = recorded_request(event, verb, content, gate.request_id)["payload"]
        approved = payload.get("approved", payload.get("accepted", True))
        return Verdict(approved, payload.get("reason", ""), event.event_id, True)
    session.check_open(gate.expected_head)
    decided = decide()
    members = content | decided.members
    if gate.request_id is not None:
        members["request_id"] = quoted(gate.request_id)
    payload, after_hash = payload_text(members), log.head.survivors_hash
    event = log.next_event(log.head, verb, payload, gate.notes, after_hash)
    gate.publish([event])
    if decided.change:
        decided.change()
    log.events.append(event)
    if gate.request_id is not None:
        log.requests[gate.request_id] = event.seq
    return Verdict(decided.approved, decided.reason, event.event_id, False)


def recorded_request(
    event: Event, verb: str, content: dict[str, str], request_id: str
) -> dict[str, Any]:
    """The record of a message that came before under this id, if it was the same."""
    record: dict[str, Any] = parse(event.record)
    same = {name: canonical(record["payload"].get(name)) for name in content}
    if record["verb"] != verb or same != content:
        raise BeliefServerError(
            "CONFLICT",
            "This request id was used for another message.",
            {"audit_event_id": event.event_id, "request_id": request_id},
        )
    return record


def _decided(
    name: str,
    approved: bool,
    reason: str,
    change: Callable[[], None] | None,
    context: str | None = None,
) -> _Decided:
    members = {name: canonical(approved), "reason": quoted(reason)}
    if context is not None:
        members["context"] = context
    return _Decided(approved, reason, change, members)


def _check_active(session: BeliefSession, obligation_id: str) -> None:
    if session.obligation_id != obligation_id:
        raise BeliefServerError(
            "OBLIGATION_NOT_FOUND",
            "This obligation is not active.",
            {"obligation_id": obligation_id, "active_obligation_id": session.obligation_id},
        )


def _leave(session: BeliefSession, obligation_id: str) -> None:
    session.core.waive_obligation(obligation_id)
    session.obligation_id = None
