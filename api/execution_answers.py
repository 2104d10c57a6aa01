"""What the routes about execution and approval answer; see answers.py, whose rules hold here."""

from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta

from .answers import Count, Exact, Hex, Object, Snapshot, Timestamp, Told
from .arbitration_answers import PackVersion

_Mode = Literal["boost", "normal", "eco", "thermal", "offline_safe"]
_ResumeId = Annotated[
    str, Meta(description="Names what was seen here: with it, the next request waits for other.")
]


class Begun(Told, kw_only=True):
    """The tool may be run now, once, with these `args`."""

    permit_id: UUID
    status: Literal["executing"]
    tool_id: str
    args: Object
    args_hash: Hex
    snapshot: Snapshot


class Completed(Told, kw_only=True):
    permit_id: UUID
    status: Literal["committed", "rolled_back"]
    result_hash: Hex
    snapshot: Snapshot


class Beginning(Exact, kw_only=True):
    by: str
    at: Timestamp
    audit_event_id: UUID


class Ending(Exact, kw_only=True):
    at: Timestamp
    audit_event_id: UUID
    result_hash: Hex
    result: Object
    usage: dict[str, int]


class Permit(Exact, kw_only=True):
    """It lets one call be executed, once and in time; `ended` is a status where its session is."""

    permit_id: UUID
    proposal_id: UUID
    item_no: Count
    status: Literal["issued", "expired", "executing", "committed", "rolled_back", "ended"]
    tool_id: str
    args: Object
    args_hash: Hex
    proposed_by: str
    token_id: UUID
    issued_at: Timestamp
    expires_at: Timestamp
    begun: Beginning | None
    ended: Ending | None


class Permits(Exact, kw_only=True):
    permits: list[Permit]
    next_before: Count | None


class Resolution(Exact, kw_only=True):
    resolution: Literal["approve", "decline", "cancel"]
    by: str
    at: Timestamp
    comment: str
    audit_event_id: UUID


class Question(Exact, kw_only=True):
    """What people are asked about one action. An approval waives the `constraint_keys`, for this
    `action` alone and until `expires_at`; `consumed_by` is the proposal that went on with it."""

    interrupt_id: UUID
    session_id: UUID
    proposal_id: UUID
    item_no: Count
    status: Literal[
        "pending",
        "approved",
        "declined",
        "cancelled",
        "consumed",
        "superseded",
        "expired",
        "ended",
    ]
    question: str
    action: Object
    action_digest: Hex
    constraint_keys: list[str]
    asked_by: str
    asked_at: Timestamp
    expires_at: Timestamp
    policy: PackVersion
    provenance: Object
    resolution: Resolution | None
    consumed_by: UUID | None


class WatchedQuestion(Question, kw_only=True):
    resume_id: _ResumeId


class Questions(Exact, kw_only=True):
    interrupts: list[Question]
    next_before: Count | None


class Inbox(Exact, kw_only=True):
    """Questions of all sessions, first what runs out first."""

    interrupts: list[Question]
    next_cursor: str | None
    resume_id: _ResumeId


class Resolved(Told, kw_only=True):
    interrupt_id: UUID
    status: Literal["approved", "declined", "cancelled"]
    proposal_id: UUID
    snapshot: Snapshot


class Try(Exact, kw_only=True):
    """`by` committed what it waited for, or swept; the proposer is the same each time."""

    proposal_id: UUID
    attempt: Count
    ts: Timestamp
    decision: Literal["allow", "deny", "defer"]
    reason_code: str
    by: str


class Deferral(Exact, kw_only=True):
    """A proposal that waits for the `missing` keys, or did; without a status of its own it has the
    decision of its last try."""

    deferral_id: UUID
    status: Literal["waiting", "ended", "exhausted", "allow", "deny", "defer"]
    missing: list[str]
    next_at: Timestamp | None
    tries: list[Try]


class Deferrals(Exact, kw_only=True):
    deferrals: list[Deferral]
    next_before: Count | None


class ModeSet(Told, kw_only=True):
    mode: _Mode
    reason: str
    snapshot: Snapshot


class Swept(Exact, kw_only=True):
    """How many permits were released, and how many deferred proposals tried again."""

    session_id: UUID
    n_released: Count
    n_tried: Count
    audit_head_event_id: UUID


class WebhookSet(Exact, kw_only=True):
    tenant: str
    url: str | None
