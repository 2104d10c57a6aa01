"""What the routes answer that look back on a session."""

from typing import Literal
from uuid import UUID

from cmbs.api.rooms.belief.answers import ActiveObligation, SnapshotWithoutSurvivors
from cmbs.api.shell.answer_shapes import Count, Exact, Hex, Object, Timestamp


class EliminatedBy(Exact, kw_only=True):
    event_id: UUID
    seq: Count
    ts: Timestamp
    source_id: str
    observation_id: str
    justification: Object
    actor: str


class Why(Exact, kw_only=True):
    hypothesis_id: str
    survives: bool
    eliminated_by: EliminatedBy | None


class SourceEffect(Exact, kw_only=True):
    source_id: str
    n_events: Count
    n_eliminated: Count


class Elimination(Exact, kw_only=True):
    """An event that eliminated hypotheses, the first hundred of them, and evidence up to 4 KiB."""

    event_id: UUID
    seq: Count
    ts: Timestamp
    actor: str
    source_id: str
    observation_id: str
    justification: Object | None
    n_eliminated: Count
    eliminated: list[str]


class Eliminations(Exact, kw_only=True):
    """Sources by what they eliminated, and events, newest first; `limit` of each."""

    n_eliminated: Count
    n_events: Count
    n_sources: Count
    sources: list[SourceEffect]
    events: list[Elimination]


class ObligationLeft(ActiveObligation, kw_only=True):
    """`missing` eliminations until the exit would be approved."""

    missing: Count
    entered_event_id: UUID
    since: Timestamp


class ConclusionLeft(Exact, kw_only=True):
    """The last accepted one was accepted `n_in_a_row` times; `missing` until it is stable."""

    accepted: bool
    reason: str | None
    error: str | None
    conclusion_id: str | None
    n_in_a_row: Count
    stability_window: Count
    missing: Count


class Decision(Exact, kw_only=True):
    """What a gate says: a decision and its reason, or the code of an error; or none of them."""

    approved: bool | None
    reason: str | None
    error: str | None


class Lacking(Exact, kw_only=True):
    """`missing` eliminations or conclusions; null if the condition can no longer be met so."""

    condition: Literal["no active obligation", "a singleton survivor", "a stable conclusion"]
    missing: int | None


class TerminationLeft(Decision, kw_only=True):
    with_force: Decision
    missing: list[Lacking]


class Explained(Exact, kw_only=True):
    """`hypothesis` is null unless one was asked for."""

    hypothesis: Why | None
    eliminations: Eliminations
    obligation: ObligationLeft | None
    conclusion: ConclusionLeft
    termination: TerminationLeft
    snapshot: SnapshotWithoutSurvivors


class Standing(Exact, kw_only=True):
    n_survivors: Count
    entropy_proxy: float
    survivors_hash: Hex
    terminated: bool
    active_obligation: ActiveObligation | None


class StandingAt(Standing, kw_only=True):
    event_id: UUID
    seq: Count
    ts: Timestamp


class EliminatedBetween(Exact, kw_only=True):
    hypothesis_id: str
    event_id: UUID
    seq: Count
    ts: Timestamp
    source_id: str
    observation_id: str


class Gate(Exact, kw_only=True):
    """A message to a gate; `subject_id` is the obligation or the conclusion."""

    event_id: UUID
    seq: Count
    ts: Timestamp
    verb: str
    subject_id: str | None
    approved: bool | None
    reason: str | None


class Diff(Exact, kw_only=True, rename={"from_": "from"}):
    """What came after `from`, up to `to`; `limit` entries of each list."""

    session_id: UUID
    from_: StandingAt
    to: StandingAt
    n_events: Count
    verbs: dict[str, Count]
    n_eliminated: Count
    eliminated: list[EliminatedBetween]
    n_gates: Count
    gates: list[Gate]


class Flip(Exact, kw_only=True):
    event_id: UUID
    seq: Count
    verb: str
    recorded: Decision
    instead: Decision


class WhatIf(Exact, kw_only=True):
    """All hypotheses that come back, and `limit` of the gates that say something else."""

    session_id: UUID
    audit_head_event_id: UUID
    without_source: str | None
    without_observation: str | None
    removed: Count
    refused: Count
    recorded: Standing
    instead: Standing
    n_returning: Count
    returning: list[str]
    n_gates: Count
    n_flips: Count
    flips: list[Flip]
