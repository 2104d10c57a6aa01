"""What the reads answer that have no counterpart in a server of this process.

Times are seconds since 1970, as in `AuditEntry`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from cmbs.answers import timestamp

Kind = TypeVar("Kind")


def found(kind: type[Kind], members: Mapping[str, Any]) -> Kind:
    """The members that the kind has; a newer server may tell more."""
    given = {field.name: members[field.name] for field in fields(kind)}  # type: ignore[arg-type]
    for name in ("ts", "registered_at"):
        if name in given:
            given[name] = timestamp(given[name])
    return kind(**given)


@dataclass(frozen=True)
class EliminatedBy:
    """The event that eliminated a hypothesis."""

    event_id: str
    seq: int
    ts: float
    source_id: str
    observation_id: str
    justification: dict[str, Any]
    actor: str


@dataclass(frozen=True)
class Why:
    """Whether a hypothesis survives, and if not, what eliminated it."""

    hypothesis_id: str
    survives: bool
    eliminated_by: EliminatedBy | None


@dataclass(frozen=True)
class Obligation:
    """An obligation; `state` is `active`, `exited` or `waived`."""

    obligation_id: str
    state: str
    min_total_eliminations: int
    counted: int
    entered_event_id: str
    ended_event_id: str | None


@dataclass(frozen=True)
class Conclusion:
    conclusion_id: str
    accepted: bool
    event_id: str
    ts: float
    actor: str


@dataclass(frozen=True)
class FirstBad:
    seq: int
    reason: str


@dataclass(frozen=True)
class Verified:
    """What the server found when it recomputed a session from its log."""

    ok: bool
    rows_checked: int
    head_hash: str | None
    first_bad: FirstBad | None


@dataclass(frozen=True)
class RegisteredSpace:
    """A hypothesis space; `duplicate` if it was known."""

    hypothesis_space_id: str
    hypothesis_version: str
    n_hypotheses: int
    universe_digest: str
    duplicate: bool


@dataclass(frozen=True)
class Space:
    """A hypothesis space with its hypotheses."""

    hypothesis_space_id: str
    hypothesis_version: str
    n_hypotheses: int
    universe_digest: str
    registered_at: float
    registered_by: str
    hypotheses: list[str]


@dataclass(frozen=True)
class Alive:
    """The server runs; the database was not asked."""

    status: str


@dataclass(frozen=True)
class Ready:
    """The database answers, and `revision` is that of its schema."""

    status: str
    revision: str
