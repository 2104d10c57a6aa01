"""The sessions that a server in this process holds, each under its own lock."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict
from functools import partial
from threading import Lock, get_ident
from typing import Any

from cmbs.kernel import shapes
from cmbs.kernel.answers import BeliefServerError, OntologyBundle, SessionPolicy
from cmbs.kernel.canonical import canonical, parse
from cmbs.kernel.elimination import Message, Outcome, eliminate
from cmbs.kernel.event_log import Event
from cmbs.kernel.session import BeliefSession
from cmbs.kernel.universe import Universe
from cmbs.kernel.write_through import AuditLog, WriteThrough
from cmbs.spi.elimination_store import EliminationStore


def request_text(
    ontology: OntologyBundle,
    universe: Universe,
    metadata: str | None,
    policy: Mapping[str, Any] | SessionPolicy | None,
) -> str:
    """What makes a declare the same when it is sent again."""
    chosen = asdict(policy) if isinstance(policy, SessionPolicy) else policy
    return canonical([ontology.to_dict(), universe.digest, metadata, chosen])


class Held:
    """A session, the lock its verbs run under, and what the server alone knows of it."""

    def __init__(
        self,
        session: BeliefSession,
        store: EliminationStore | None,
        audit_log: AuditLog | None,
        declared_as: str | None = None,
    ) -> None:
        self.session, self._lock, self._holder = session, Lock(), 0
        # The declare as it was sent. A log does not tell which policy its sender left out, so of a
        # session that was restored from one it is not known.
        self._declared_as = declared_as
        self._audit_log = audit_log
        self._through = WriteThrough(store, session.session_id) if store is not None else None

    def __enter__(self) -> "Held":
        if self._holder == get_ident():
            raise RuntimeError(
                "a store, a provider or an audit log must not change the session it is called for"
            )
        self._lock.acquire()
        self._holder = get_ident()
        return self

    def __exit__(self, *_: object) -> None:
        self._holder = 0
        self._lock.release()

    def reading(self) -> AbstractContextManager[object]:
        """For what only looks: whoever is called under the lock may look, too."""
        return nullcontext() if self._holder == get_ident() else self

    def publish(self, events: Sequence[Event]) -> None:
        if self._audit_log is not None:
            self._audit_log.extend([self.session.log.entry(event) for event in events])

    def eliminate(
        self,
        messages: Sequence[Message],
        expected_head: frozenset[str] | None,
        *,
        is_batch: bool,
    ) -> list[Outcome]:
        """All of the messages, through the store if there is one; or none."""
        through = self._through
        if through is not None:
            messages = through.expanded(messages)
        verb = partial(eliminate, self.session, messages, expected_head, is_batch=is_batch)
        if through is None:
            return verb(None, self.publish)
        try:
            outcomes = verb(through.persist, self.publish)
        except BaseException:
            through.failed()
            raise
        return through.adopted(messages, outcomes)

    def check_declared(self, sent: str, resolved: str) -> None:
        session = self.session
        if self._declared_as:
            is_same = self._declared_as == sent
        else:
            first = parse(session.log.events[0].record)["payload"]
            about = canonical(first["metadata"]) if "metadata" in first else None
            is_same = resolved == request_text(
                session.ontology, session.universe, about, session.policy
            )
        if not is_same:
            raise BeliefServerError(
                "CONFLICT",
                "This session id was declared with another request.",
                {
                    "audit_event_id": session.log.events[0].event_id,
                    "session_id": session.session_id,
                },
            )


class _Turn:
    """Whose turn it is to begin a session."""

    def __init__(self) -> None:
        self.lock, self.n_waiting = Lock(), 0


class Sessions:
    def __init__(self) -> None:
        self._held: dict[str, Held] = {}
        self._beginning: dict[str, _Turn] = {}
        self._lock = Lock()

    def of(self, session_id: object) -> Held:
        held = self._held.get(session_id) if isinstance(session_id, str) else None
        held = held or self._held.get(shapes.uniform_uuid("session_id", session_id))
        if held is None:
            raise BeliefServerError(
                "SESSION_NOT_FOUND", "There is no such session.", {"session_id": str(session_id)}
            )
        return held

    @contextmanager
    def beginning(self, session_id: str) -> Iterator[Held | None]:
        """The session if it is there; else nobody but the caller can begin it now."""
        with self._lock:
            turn = self._beginning.setdefault(session_id, _Turn())
            turn.n_waiting += 1
        try:
            with turn.lock:
                yield self._held.get(session_id)
        finally:
            with self._lock:
                turn.n_waiting -= 1
                if not turn.n_waiting:
                    del self._beginning[session_id]

    def keep(self, held: Held) -> None:
        self._held[held.session.session_id] = held
