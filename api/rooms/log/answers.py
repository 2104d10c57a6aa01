"""What the routes about the log answer."""

from typing import Literal
from uuid import UUID

from msgspec import UNSET, UnsetType

from cmbs.api.shell.answer_shapes import Count, Exact, Hex, Object, Timestamp


class Delta(Exact, kw_only=True):
    eliminated: list[str]


class Event(Exact, kw_only=True):
    """The members of the record that is hashed, and the hash."""

    v: Literal[1]
    session_id: UUID
    seq: Count
    event_id: UUID
    ts: Timestamp
    verb: str
    actor: str
    payload: Object
    delta: Delta
    survivors_before_hash: Hex
    survivors_after_hash: Hex
    prev_event_hash: Hex
    event_hash: Hex
    notes: str | UnsetType = UNSET


class Trace(Exact, kw_only=True):
    events: list[Event]
    next_since_event_id: UUID | None


class Line(Exact, kw_only=True):
    """One line of the log as application/x-ndjson; the first one carries the hypotheses."""

    event_hash: Hex
    record: str
    hypotheses: list[str] | UnsetType = UNSET


class FirstBad(Exact, kw_only=True):
    seq: Count
    reason: str


class Verified(Exact, kw_only=True):
    ok: bool
    rows_checked: Count
    head_hash: Hex | None
    first_bad: FirstBad | None
