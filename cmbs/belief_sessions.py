"""The sessions that a server in this process holds, each under its own lock."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from threading import Lock, get_ident
from typing import Any

from cmbs import shapes
from cmbs.answers import BeliefServerError, OntologyBundle, SessionPolicy
from cmbs.belief_elimination import Message, Outcome
from cmbs.belief_session import BeliefSession
from cmbs.canonical import canonical, parse
from cmbs.universe import Universe

Stored = tuple[list[str], list[str]]


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

    def __init__(self, session: BeliefSession, declared_as: str | None = None) -> None:
        self.session, self._lock, self._holder = session, Lock(), 0
        # The declare as it was sent. A log does not tell which policy its sender left out, so of a
        # session that was restored from one it is not known.
        self._declared_as = declared_as
        # By identity of a message: what the store answered, where the kernel expected otherwise.
        self._stored: dict[tuple[str, str], Stored] = {}

    def __enter__(self) -> "Held":
        if self._holder == get_ident():
            raise RuntimeError(
                "a store, a provider or an audit log must not call the session it is called for"
            )
        self._lock.acquire()
        self._holder = get_ident()
        return self

    def __exit__(self, *_: object) -> None:
        self._holder = 0
        self._lock.release()

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

    def as_stored(
        self,
        messages: Sequence[Message],
        outcomes: Sequence[Outcome],
        answered: Mapping[tuple[str, str], Stored],
    ) -> list[Outcome]:
        """What the store said counts, now and when a message comes again."""
        given = []
        for message, outcome in zip(messages, outcomes, strict=True):
            stored = answered.get(message.identity)
            if stored and stored != (outcome.applied, outcome.ignored):
                self._stored[message.identity] = stored
            applied, ignored = self._stored.get(message.identity, outcome[:2])
            # Copies: callers may do with an answer what they like.
            given.append(outcome._replace(applied=[*applied], ignored=[*ignored]))
        return given


class Sessions:
    def __init__(self) -> None:
        self._held: dict[str, Held] = {}
        self._beginning: dict[str, Lock] = {}
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
            begins = self._beginning.setdefault(session_id, Lock())
        with begins:
            yield self._held.get(session_id)
        # Left where it is if nothing began: whoever waits for it may be the one who does.
        if session_id in self._held:
            with self._lock:
                self._beginning.pop(session_id, None)

    def keep(self, held: Held) -> None:
        self._held[held.session.session_id] = held
