"""The messages to what gates an agent, each written once for both clients."""

from collections.abc import Callable
from uuid import uuid4

from cmbs.client.chain import same
from cmbs.client.message import claim, message, snapshot
from cmbs.client.request import (
    Members,
    Request,
    T,
    body_of,
    segment,
    session_path,
)
from cmbs.kernel.answers import (
    AuditEntry,
    Decision,
    Entered,
    ExpectedHead,
    FreeObject,
    SessionId,
    repeated,
)


def enter_obligation(
    session_id: SessionId,
    obligation_id: str,
    min_total_eliminations: int,
    *,
    request_id: str | None = None,
    notes: str | None = None,
    expected_head: ExpectedHead = None,
    minimal: bool = False,
) -> Request[Entered]:
    """From here on so many hypotheses must go before a conclusion counts."""
    members = {"obligation_id": obligation_id, "min_total_eliminations": min_total_eliminations}
    return _gate(
        session_id,
        ["obligations"],
        _entered,
        members | {"notes": notes},
        "ENTER_OBLIGATION",
        members,
        request_id,
        expected_head,
        minimal,
    )


def request_exit(
    session_id: SessionId,
    obligation_id: str,
    context: FreeObject | None = None,
    *,
    request_id: str | None = None,
    notes: str | None = None,
    expected_head: ExpectedHead = None,
    minimal: bool = False,
) -> Request[Decision]:
    """Ask to leave the active obligation: approved once enough has been eliminated."""
    return _gate(
        session_id,
        ["obligations", segment("obligation_id", obligation_id), "exit"],
        _decision,
        {"context": context, "notes": notes},
        "REQUEST_EXIT",
        {"obligation_id": obligation_id},
        request_id,
        expected_head,
        minimal,
    )


def waive_obligation(
    session_id: SessionId,
    obligation_id: str,
    reason: str,
    *,
    request_id: str | None = None,
    notes: str | None = None,
    expected_head: ExpectedHead = None,
    minimal: bool = False,
) -> Request[Decision]:
    """Leave the active obligation although its threshold is not met, for a stated reason."""
    return _gate(
        session_id,
        ["obligations", segment("obligation_id", obligation_id), "waive"],
        _decision,
        {"reason": reason, "notes": notes},
        "WAIVE_OBLIGATION",
        {"obligation_id": obligation_id, "waive_reason": reason},
        request_id,
        expected_head,
        minimal,
    )


def declare_conclusion(
    session_id: SessionId,
    conclusion_id: str,
    context: FreeObject | None = None,
    *,
    request_id: str | None = None,
    notes: str | None = None,
    expected_head: ExpectedHead = None,
    minimal: bool = False,
) -> Request[Decision]:
    """Conclude something: accepted unless an obligation is active."""
    return _gate(
        session_id,
        ["conclusions"],
        _decision,
        {"conclusion_id": conclusion_id, "context": context, "notes": notes},
        "DECLARE_CONCLUSION",
        {"conclusion_id": conclusion_id},
        request_id,
        expected_head,
        minimal,
    )


def request_termination(
    session_id: SessionId,
    context: FreeObject | None = None,
    *,
    request_id: str | None = None,
    notes: str | None = None,
    expected_head: ExpectedHead = None,
    minimal: bool = False,
) -> Request[Decision]:
    """Ask to end the session: approved for a single survivor and stable conclusions."""
    return _gate(
        session_id,
        ["terminate"],
        _decision,
        {"context": context, "notes": notes},
        "REQUEST_TERMINATION",
        {},
        request_id,
        expected_head,
        minimal,
    )


def _gate(
    session_id: SessionId,
    path: list[str],
    read: Callable[[Members], T],
    body: Members,
    verb: str,
    recorded: Members,
    request_id: str | None,
    expected_head: ExpectedHead,
    minimal: bool,
) -> Request[T]:
    """A message whose identity is its request id; one is made if it has none."""
    key = str(uuid4()) if request_id is None else request_id
    expected = {**recorded, "request_id": key}

    def says(entry: AuditEntry, is_new: bool) -> bool:
        payload = entry.payload
        is_same = entry.verb == verb and all(payload[name] == expected[name] for name in expected)
        if not is_same or not is_new:
            return is_same
        is_same = "context" not in body or same(payload["context"], body["context"] or {})
        return is_same and entry.notes == body["notes"]

    return message(
        session_id,
        session_path(session_id, *path),
        body_of(body),
        read,
        claim(says),
        request_id=key,
        expected_head=expected_head,
        minimal=minimal,
    )


def _entered(answer: Members) -> Entered:
    return repeated(Entered(snapshot(answer), answer["audit_event_id"]), answer["duplicate"])


def _decision(answer: Members) -> Decision:
    approved = answer["approved"] if "approved" in answer else answer["accepted"]
    decision = Decision(approved, answer["reason"], snapshot(answer), answer["audit_event_id"])
    return repeated(decision, answer["duplicate"])
