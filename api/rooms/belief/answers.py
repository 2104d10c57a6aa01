"""What the routes about sessions answer."""

from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, UnsetType

from cmbs.api.shell.answer_shapes import Count, Exact, Hex, Recorded, Timestamp

Reference = Annotated[str, Meta(min_length=1, max_length=2048, pattern=r"^[^\u0000]*$")]


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


class Declared(Recorded, kw_only=True):
    """`n_duplicates`: how many of the hypotheses were in the list before, if any were."""

    session_id: UUID
    n_duplicates: Annotated[int, Meta(ge=1)] | UnsetType = UNSET
    snapshot: Snapshot


class EliminatedAlone(Recorded, kw_only=True):
    applied_eliminated: list[str]
    ignored_eliminated: list[str]


class Eliminated(EliminatedAlone, kw_only=True):
    snapshot: Snapshot


class EliminatedBatch(Recorded, kw_only=True):
    results: list[EliminatedAlone]
    snapshot: Snapshot


class Sessions(Exact, kw_only=True):
    sessions: list[SnapshotWithoutSurvivors]
    next_cursor: str | None
