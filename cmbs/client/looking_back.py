"""What explain, diff and whatif answer, as it was sent; BELIEF_PROTOCOL.md, section 2.3, has it.

Times are text, as in records.
"""

from collections.abc import Mapping
from typing import Any, TypedDict, TypeVar, cast

Kind = TypeVar("Kind", bound=Mapping[str, object])


def as_kind(kind: type[Kind], answer: Mapping[str, Any]) -> Kind:
    """An answer of this kind, or KeyError."""
    if missing := kind.__dict__["__required_keys__"] - answer.keys():
        raise KeyError(*missing)
    return cast(Kind, answer)


class ActiveObligation(TypedDict):
    obligation_id: str
    min_total_eliminations: int
    eliminated_since_entry: int
    satisfiable: bool


class SourceEffect(TypedDict):
    source_id: str
    n_events: int
    n_eliminated: int


class Elimination(TypedDict):
    event_id: str
    seq: int
    ts: str
    actor: str
    source_id: str
    observation_id: str
    justification: dict[str, Any] | None
    n_eliminated: int
    eliminated: list[str]


class Eliminations(TypedDict):
    n_eliminated: int
    n_events: int
    n_sources: int
    sources: list[SourceEffect]
    events: list[Elimination]


class EliminatedBy(TypedDict):
    event_id: str
    seq: int
    ts: str
    source_id: str
    observation_id: str
    justification: dict[str, Any]
    actor: str


class Hypothesis(TypedDict):
    hypothesis_id: str
    survives: bool
    eliminated_by: EliminatedBy | None


class ObligationLeft(ActiveObligation):
    missing: int
    entered_event_id: str
    since: str


class ConclusionLeft(TypedDict):
    accepted: bool
    reason: str | None
    error: str | None
    conclusion_id: str | None
    n_in_a_row: int
    stability_window: int
    missing: int


class Said(TypedDict):
    """What a gate says: a decision and its reason, or the code of an error; or none of them."""

    approved: bool | None
    reason: str | None
    error: str | None


class Lacking(TypedDict):
    condition: str
    missing: int | None


class TerminationLeft(Said):
    with_force: Said
    missing: list[Lacking]


class Ontology(TypedDict):
    hypothesis_space_id: str
    hypothesis_version: str
    causal_graph_ref: str
    causal_graph_version: str


class Policy(TypedDict):
    validate_hypotheses: bool
    allow_forced_termination: bool
    stability_window: int


class Snapshot(TypedDict):
    """A snapshot without its survivors."""

    session_id: str
    ontology: Ontology
    n_survivors: int
    n_hypotheses: int
    entropy_proxy: float
    terminated: bool
    active_obligation_id: str | None
    active_obligation: ActiveObligation | None
    policy: Policy
    survivors_hash: str
    audit_seq: int
    audit_head_event_id: str
    audit_head_hash: str


class Explained(TypedDict):
    hypothesis: Hypothesis | None
    eliminations: Eliminations
    obligation: ObligationLeft | None
    conclusion: ConclusionLeft
    termination: TerminationLeft
    snapshot: Snapshot


class Standing(TypedDict):
    n_survivors: int
    entropy_proxy: float
    survivors_hash: str
    terminated: bool
    active_obligation: ActiveObligation | None


class StandingAt(Standing):
    event_id: str
    seq: int
    ts: str


class EliminatedBetween(TypedDict):
    hypothesis_id: str
    event_id: str
    seq: int
    ts: str
    source_id: str
    observation_id: str


class Gate(TypedDict):
    event_id: str
    seq: int
    ts: str
    verb: str
    subject_id: str | None
    approved: bool | None
    reason: str | None


# A member is called like a word of the language.
Diff = TypedDict(
    "Diff",
    {
        "session_id": str,
        "from": StandingAt,
        "to": StandingAt,
        "n_events": int,
        "verbs": dict[str, int],
        "n_eliminated": int,
        "eliminated": list[EliminatedBetween],
        "n_gates": int,
        "gates": list[Gate],
    },
)


class Flip(TypedDict):
    event_id: str
    seq: int
    verb: str
    recorded: Said
    instead: Said


class WhatIf(TypedDict):
    session_id: str
    audit_head_event_id: str
    without_source: str | None
    without_observation: str | None
    removed: int
    refused: int
    recorded: Standing
    instead: Standing
    n_returning: int
    returning: list[str]
    n_gates: int
    n_flips: int
    flips: list[Flip]
