"""What the routes about obligations, conclusions and termination answer."""

from typing import Literal
from uuid import UUID

from cmbs.api.rooms.belief.answers import Snapshot
from cmbs.api.shell.answer_shapes import Count, Exact, Recorded, Timestamp


class Entered(Recorded, kw_only=True):
    snapshot: Snapshot


class Approved(Recorded, kw_only=True):
    approved: bool
    reason: str
    snapshot: Snapshot


class Accepted(Recorded, kw_only=True):
    accepted: bool
    reason: str
    snapshot: Snapshot


class Obligation(Exact, kw_only=True):
    obligation_id: str
    state: Literal["active", "exited", "waived"]
    min_total_eliminations: Count
    counted: Count
    entered_event_id: UUID
    ended_event_id: UUID | None


class Obligations(Exact, kw_only=True):
    obligations: list[Obligation]


class Conclusion(Exact, kw_only=True):
    conclusion_id: str
    accepted: bool
    event_id: UUID
    ts: Timestamp
    actor: str


class Conclusions(Exact, kw_only=True):
    conclusions: list[Conclusion]
