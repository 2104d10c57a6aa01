"""What the routes about permits answer."""

from typing import Literal
from uuid import UUID

from cmbs.api.rooms.belief.answers import Snapshot
from cmbs.api.shell.answer_shapes import Count, Exact, Hex, Object, Recorded, Timestamp


class Begun(Recorded, kw_only=True):
    """The tool may be run now, once, with these `args`."""

    permit_id: UUID
    status: Literal["executing"]
    tool_id: str
    args: Object
    args_hash: Hex
    snapshot: Snapshot


class Completed(Recorded, kw_only=True):
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
