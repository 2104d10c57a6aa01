"""What the routes about capability tokens answer."""

from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta

from cmbs.api.rooms.belief.answers import Snapshot
from cmbs.api.shell.answer_shapes import Count, Exact, Recorded, Timestamp


class TokenIssued(Recorded, kw_only=True):
    token_id: UUID
    secret: Annotated[str, Meta(description="It is shown this once; later it is null.")] | None
    snapshot: Snapshot


class CapabilityToken(Exact, kw_only=True):
    """`left` of the budgets is the least that is left of it and of those it was made of."""

    token_id: UUID
    parent_id: UUID | None
    depth: Count
    holder: str
    tools: list[str]
    capabilities: list[str]
    state_prefixes: list[str]
    resource_roots: list[str]
    budgets: dict[str, int]
    left: dict[str, int]
    valid_from: Timestamp
    expires_at: Timestamp
    approval_requirement: Literal["none", "required"]
    revoked: bool


class CapabilityTokens(Exact, kw_only=True):
    capability_tokens: list[CapabilityToken]


class TokenRevoked(Recorded, kw_only=True):
    token_id: UUID
    snapshot: Snapshot
