"""What the routes about interrupts answer."""

from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta

from cmbs.api.rooms.belief.answers import Snapshot
from cmbs.api.rooms.policy.answers import PackVersion
from cmbs.api.shell.answer_shapes import Count, Exact, Hex, Object, Recorded, Timestamp

_ResumeId = Annotated[
    str, Meta(description="Names what was seen here: with it, the next request waits for other.")
]


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


class Resolved(Recorded, kw_only=True):
    interrupt_id: UUID
    status: Literal["approved", "declined", "cancelled"]
    proposal_id: UUID
    snapshot: Snapshot


class WebhookSet(Exact, kw_only=True):
    tenant: str
    url: str | None
