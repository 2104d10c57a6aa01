"""What a store of eliminations must do: it keeps, per session, a set of hypotheses and which of
them are eliminated. Eliminations are only ever added.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable


@dataclass(frozen=True)
class EliminationProvenance:
    """Who eliminated, and on which observation."""

    source_id: str
    trigger: str


@dataclass(frozen=True)
class EliminationResult:
    """Of the ids asked for: those this call eliminated, and the rest, unknown ids among them."""

    applied: frozenset[str]
    already_eliminated: frozenset[str]


@dataclass(frozen=True)
class RecoveredState:
    """A session as the store has it; `survivors` is the one set minus the other."""

    hypothesis_ids: frozenset[str]
    eliminated: frozenset[str]
    survivors: frozenset[str]


@runtime_checkable
class EliminationStore(Protocol):
    """Ids of sessions and hypotheses are opaque strings. Every method may be called from many
    threads; an unknown session is `KeyError`.
    """

    def create_session(self, session_id: str, hypothesis_ids: Iterable[str]) -> None:
        """Begin a session. Again with the same set: nothing; with another: `ValueError`."""

    def eliminate(
        self, session_id: str, eliminated: Iterable[str], provenance: EliminationProvenance
    ) -> EliminationResult:
        """Eliminate, all or nothing. Unknown ids change nothing and are `already_eliminated`."""

    def get_survivors(self, session_id: str) -> frozenset[str]: ...

    def get_eliminated(self, session_id: str) -> frozenset[str]: ...

    def recover(self, session_id: str) -> RecoveredState:
        """Everything about a session, of one moment."""


@runtime_checkable
class RemindedStore(Protocol):
    """A store over something that may not keep which hypotheses a session began with."""

    def remember(self, session_id: str, hypothesis_ids: Iterable[str]) -> None:
        """What the log of a session says, before the session is recovered."""
