"""What the routes about claims answer."""

from uuid import UUID

from cmbs.api.rooms.belief.answers import Snapshot
from cmbs.api.rooms.policy.answers import PackVersion
from cmbs.api.rooms.verdict.answers import VerdictWithReasons
from cmbs.api.shell.answer_shapes import AnyJson, Exact, Hex, Recorded, Timestamp


class ClaimTold(VerdictWithReasons, kw_only=True):
    """`kind` may be another than was asked for; `claim_id` is null if it was not recorded."""

    claim_id: UUID | None
    kind: str
    confirmed: bool
    expires_at: Timestamp | None
    policy: PackVersion
    audit_event_id: UUID
    duplicate: bool
    snapshot: Snapshot


class Claim(Exact, kw_only=True):
    claim_id: UUID
    key: str
    kind: str
    value: AnyJson
    value_digest: Hex
    confidence: float
    confirmed: bool
    source_chunk_ids: list[str]
    confirmed_by_event_id: UUID | None
    conflict_state: str
    expires_at: Timestamp | None
    review_at: Timestamp | None
    promotes: UUID | None
    live: bool


class Claims(Exact, kw_only=True):
    claims: list[Claim]


class Confirmed(Recorded, kw_only=True):
    """`audit_event_id` is what a claim cites to be confirmed by it."""

    snapshot: Snapshot
