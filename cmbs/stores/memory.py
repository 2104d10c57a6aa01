"""A store of eliminations inside this process."""

import threading
from collections.abc import Iterable
from dataclasses import dataclass, field

from cmbs.spi.elimination_store import EliminationProvenance, EliminationResult, RecoveredState
from cmbs.stores.arguments import checked_id, checked_ids, checked_provenance


@dataclass
class _Session:
    hypothesis_ids: frozenset[str]
    eliminated: set[str] = field(default_factory=set)


class InMemoryStore:
    """Keeps sessions as long as it lives itself. Safe to call from many threads.

    Any text is an id of a session or a hypothesis. Arguments of another type are `ValueError`, and
    so is a single text where several ids are meant. Provenance is checked and not kept.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sessions: dict[str, _Session] = {}

    def create_session(self, session_id: str, hypothesis_ids: Iterable[str]) -> None:
        """Begin a session. Again with the same set: nothing; with another: `ValueError`."""
        checked_id("session_id", session_id)
        asked = checked_ids("hypothesis_ids", hypothesis_ids)
        with self._lock:
            session = self._sessions.setdefault(session_id, _Session(asked))
        if session.hypothesis_ids != asked:
            raise ValueError(
                f"session {session_id!r} was created with other hypotheses; choose another id"
            )

    def eliminate(
        self, session_id: str, eliminated: Iterable[str], provenance: EliminationProvenance
    ) -> EliminationResult:
        """Eliminate, all or nothing. Unknown ids change nothing and are `already_eliminated`."""
        checked_id("session_id", session_id)
        asked = checked_ids("eliminated", eliminated)
        checked_provenance(provenance)
        with self._lock:
            session = self._sessions[session_id]
            applied = (asked & session.hypothesis_ids) - session.eliminated
            session.eliminated |= applied
        return EliminationResult(applied, asked - applied)

    def get_survivors(self, session_id: str) -> frozenset[str]:
        return self.recover(session_id).survivors

    def get_eliminated(self, session_id: str) -> frozenset[str]:
        return self.recover(session_id).eliminated

    def recover(self, session_id: str) -> RecoveredState:
        """Everything about a session, of one moment."""
        checked_id("session_id", session_id)
        with self._lock:
            session = self._sessions[session_id]
            eliminated = frozenset(session.eliminated)
        return RecoveredState(
            session.hypothesis_ids, eliminated, session.hypothesis_ids - eliminated
        )
