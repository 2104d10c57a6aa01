"""What the routes answer, for the documentation and for the tests that hold every answer to it.

Nothing here runs when a request is served: answers go out as the database wrote them.
"""

from typing import Annotated, Any, Literal
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

Hex = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Timestamp = Annotated[str, Meta(pattern=r"^[0-9-]{10}T[0-9:]{8}\.[0-9]{6}Z$")]
Count = Annotated[int, Meta(ge=0)]
Object = dict[str, Any]
Reference = Annotated[str, Meta(min_length=1, max_length=2048, pattern=r"^[^\u0000]*$")]


class Exact(Struct, forbid_unknown_fields=True, kw_only=True):
    """An answer has these members and no others."""


class Ontology(Exact, kw_only=True):
    hypothesis_space_id: Reference
    hypothesis_version: Reference
    causal_graph_ref: Reference
    causal_graph_version: Reference


class OntologyAsSent(Exact, kw_only=True):
    """`causal_graph_version` may be left out only with `universe_from`: the incident has it."""

    hypothesis_space_id: Reference
    hypothesis_version: Reference
    causal_graph_ref: Reference
    causal_graph_version: Reference | UnsetType = UNSET


class PolicyAsSent(Exact, kw_only=True):
    validate_hypotheses: bool | UnsetType = UNSET
    allow_forced_termination: bool | UnsetType = UNSET
    stability_window: Annotated[int, Meta(ge=0, le=1000)] | UnsetType = UNSET


class Policy(Exact, kw_only=True):
    validate_hypotheses: bool
    allow_forced_termination: bool
    stability_window: Count


class ActiveObligation(Exact, kw_only=True):
    obligation_id: str
    min_total_eliminations: Count
    eliminated_since_entry: Count
    satisfiable: bool


class SnapshotWithoutSurvivors(Exact, kw_only=True):
    """`owner`: who declared it, null where the log has lost that. `is_contradicted`: no hypothesis
    is left, so that the universe or some evidence was wrong."""

    session_id: UUID
    owner: str | None
    declared_at: Timestamp
    ontology: Ontology
    n_survivors: Count
    n_hypotheses: Count
    entropy_proxy: float
    is_contradicted: bool
    terminated: bool
    active_obligation_id: str | None
    active_obligation: ActiveObligation | None
    policy: Policy
    survivors_hash: Hex
    audit_seq: Count
    audit_head_at: Timestamp
    audit_head_event_id: UUID
    audit_head_hash: Hex


class Snapshot(SnapshotWithoutSurvivors, kw_only=True):
    """`survivors` is left out if the request prefers `return=minimal`."""

    survivors: list[str] | UnsetType = UNSET


class Head(Exact, kw_only=True):
    """What `Prefer: return=none` leaves of a snapshot."""

    n_survivors: Count
    audit_seq: Count
    audit_head_event_id: UUID


class Told(Exact, kw_only=True):
    audit_event_id: UUID
    duplicate: bool


class Declared(Told, kw_only=True):
    """`n_duplicates`: how many of the hypotheses were in the list before, if any were."""

    session_id: UUID
    n_duplicates: Annotated[int, Meta(ge=1)] | UnsetType = UNSET
    snapshot: Snapshot


class EliminatedAlone(Told, kw_only=True):
    applied_eliminated: list[str]
    ignored_eliminated: list[str]


class Eliminated(EliminatedAlone, kw_only=True):
    snapshot: Snapshot


class EliminatedBatch(Told, kw_only=True):
    results: list[EliminatedAlone]
    snapshot: Snapshot


class Entered(Told, kw_only=True):
    snapshot: Snapshot


class Approved(Told, kw_only=True):
    approved: bool
    reason: str
    snapshot: Snapshot


class Accepted(Told, kw_only=True):
    accepted: bool
    reason: str
    snapshot: Snapshot


class Sessions(Exact, kw_only=True):
    sessions: list[SnapshotWithoutSurvivors]
    next_cursor: str | None


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


class RegisteredSpace(Exact, kw_only=True):
    hypothesis_space_id: str
    hypothesis_version: str
    n_hypotheses: Count
    universe_digest: Hex
    duplicate: bool


class Space(Exact, kw_only=True):
    hypothesis_space_id: str
    hypothesis_version: str
    n_hypotheses: Count
    universe_digest: Hex
    registered_at: Timestamp
    registered_by: str
    hypotheses: list[str]


class Alive(Exact, kw_only=True):
    status: Literal["ok"]


class Ready(Exact, kw_only=True):
    status: Literal["ready"]
    revision: str


class Reason(Exact, kw_only=True):
    code: str
    message: str
    details: Object | None


class Failure(Exact, kw_only=True):
    error: Reason
