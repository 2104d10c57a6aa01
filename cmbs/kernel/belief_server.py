"""The belief server inside this process: the verbs of the protocol over sessions in memory."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any
from uuid import UUID, uuid4
from weakref import WeakValueDictionary

from cmbs.kernel import elimination, gates, shapes
from cmbs.kernel.answers import (
    AuditEntry,
    Batch,
    BeliefServerError,
    BeliefSnapshot,
    Decision,
    Declared,
    Eliminated,
    Entered,
    ExpectedHead,
    OntologyBundle,
    SessionId,
    SessionPolicy,
    repeated,
)
from cmbs.kernel.belief_state import ruled_out
from cmbs.kernel.event_log import Stamp
from cmbs.kernel.gates import Gate
from cmbs.kernel.messages import EliminateMessage
from cmbs.kernel.restore import replayed
from cmbs.kernel.session import BeliefSession
from cmbs.kernel.sessions import Held, Sessions, request_text
from cmbs.kernel.universe import Universe
from cmbs.kernel.write_through import AdoptingLog, AuditLog, begin_in
from cmbs.spi.elimination_store import EliminationStore, RecoveredState
from cmbs.spi.hypothesis_provider import HypothesisProvider

__all__ = [
    "AuditEntry",
    "AuditLog",
    "BeliefServer",
    "BeliefServerError",
    "BeliefSnapshot",
    "OntologyBundle",
]

Object = Mapping[str, Any]


class BeliefServer:
    """Sessions of belief in memory. Every method may be called from many threads.

    `validate_hypotheses` is what a session's policy says unless it is told. With a provider, its
    ids are the universe of every session. With a store, eliminations are written through to it,
    and with an `audit_log` events are. `clock` gives seconds since 1970, `new_id` a random uuid;
    `actor` is who acts in every event.

    Ids of sessions and events may be written as any uuid may; text that is none is not found.
    """

    def __init__(
        self,
        validate_hypotheses: bool = False,
        belief_provider: HypothesisProvider | None = None,
        store: EliminationStore | None = None,
        *,
        actor: str = "api",
        clock: Callable[[], float] | None = None,
        new_id: Callable[[], str | UUID] | None = None,
        audit_log: AuditLog | None = None,
    ) -> None:
        self._validate = shapes.check_flag("validate_hypotheses", validate_hypotheses)
        self._provider, self._audit_log = belief_provider, audit_log
        self._store = store if belief_provider is None else None
        self._actor = shapes.check_id("actor", actor)
        self._clock, self._new_id = clock or time.time, new_id or uuid4
        self._stamp: Stamp = self._new_stamp
        self._sessions = Sessions()
        self._universes = WeakValueDictionary[str, Universe]()

    def declare_session(
        self,
        ontology: OntologyBundle,
        hypotheses: Iterable[str] | None = None,
        metadata: Object | None = None,
        *,
        policy: Object | SessionPolicy | None = None,
        session_id: SessionId | None = None,
        notes: str | None = None,
    ) -> Declared:
        """Start a session. With a `session_id` of the caller's, the same request again returns the
        same session. Without a policy, `context={"force": True}` may end the session.
        """
        shapes.check_notes(notes)
        about = None if metadata is None else shapes.free_object("metadata", metadata)
        bundle = shapes.check_ontology(ontology)
        resolved = shapes.check_policy(policy, self._validate)
        if self._provider is not None:
            hypotheses = self._provider.hypothesis_ids()
        if isinstance(hypotheses, Mapping):
            hypotheses = hypotheses.keys()
        universe = Universe(shapes.check_ids("hypotheses", hypotheses))
        # Sessions over one set share it.
        universe = self._universes.setdefault(universe.digest, universe)
        chosen = (
            shapes.check_uuid("session_id", session_id)
            if session_id is not None
            else self._fresh_id()
        )
        sent = request_text(bundle, universe, about, policy)
        with self._sessions.beginning(chosen) as held:
            if held:
                with held:
                    held.check_declared(sent, request_text(bundle, universe, about, resolved))
                    return repeated(Declared(chosen, held.session.snapshot()))
            session = BeliefSession(chosen, bundle, universe, resolved, self._stamp)
            if self._store is not None:
                begin_in(self._store, chosen, universe)
            begun = Held(session, self._store, self._audit_log, sent)
            session.declare(about, notes, begun.publish)
            with begun:
                self._sessions.keep(begun)
                return Declared(chosen, session.snapshot())

    def eliminate(
        self,
        session_id: SessionId,
        source_id: str,
        observation_id: str,
        eliminated: Iterable[str],
        justification: Object | None = None,
        *,
        request_id: str | None = None,
        notes: str | None = None,
        expected_head: ExpectedHead = None,
    ) -> Eliminated:
        """Eliminate hypotheses on the word of one observation. Nothing ever comes back. Source and
        observation are the identity of the message; a `request_id` is passed over.
        """
        shapes.check_request_id(request_id)
        message = elimination.message_of(
            source_id, observation_id, eliminated, justification, notes
        )
        head = shapes.check_head(expected_head)
        with self._sessions.of(session_id) as held:
            self._check_eliminates(held, head)
            (outcome,) = held.eliminate([message], head, is_batch=False)
            return outcome.answer(held.session)

    def eliminate_batch(
        self,
        session_id: SessionId,
        messages: Iterable[Object | EliminateMessage],
        *,
        expected_head: ExpectedHead = None,
    ) -> Batch:
        """Up to 1,000 ELIMINATE messages, each with the members of one: all of them, or none."""
        checked = elimination.messages_of(session_id, messages)
        head = shapes.check_head(expected_head)
        with self._sessions.of(session_id) as held:
            self._check_eliminates(held, head)
            outcomes = held.eliminate(checked, head, is_batch=True)
            snapshot = held.session.snapshot()
        answer = Batch([one.observed() for one in outcomes], snapshot, outcomes[-1].event_id)
        return repeated(answer, all(one.duplicate for one in outcomes))

    def apply_probe(
        self,
        session_id: SessionId,
        probe_id: str,
        response: Any,
        source_id: str = "provider",
        *,
        request_id: str | None = None,
        notes: str | None = None,
        expected_head: ExpectedHead = None,
    ) -> Eliminated:
        """Eliminate what the provider says is ruled out by a response to one of its probes."""
        shapes.check_id("source_id", source_id)
        shapes.check_id("probe_id", probe_id)
        text = shapes.free_value("response", response)
        with self._gate(session_id, request_id, notes, expected_head) as (session, gate):
            if self._provider is None:
                session.check_open(gate.expected_head)
                raise BeliefServerError("CONFLICT", "The server has no provider of hypotheses.")
            gone = partial(ruled_out, self._provider, probe_id, response, session.universe)
            outcome = elimination.apply_probe(session, probe_id, text, source_id, gone, gate)
            return outcome.answer(session)

    def query_belief(self, session_id: SessionId) -> BeliefSnapshot:
        held = self._sessions.of(session_id)
        with held.reading():
            return held.session.snapshot()

    def audit_trace(
        self, session_id: SessionId, since_event_id: str | UUID | None = None
    ) -> list[AuditEntry]:
        """The events after the given one, or all."""
        held = self._sessions.of(session_id)
        with held.reading():
            log = held.session.log
            recorded = log.since(since_event_id)
        return [log.entry(event) for event in recorded]

    def enter_obligation(
        self,
        session_id: SessionId,
        obligation_id: str,
        min_total_eliminations: int,
        *,
        request_id: str | None = None,
        notes: str | None = None,
        expected_head: ExpectedHead = None,
    ) -> Entered:
        """From here on so many hypotheses must go before a conclusion counts."""
        shapes.check_id("obligation_id", obligation_id)
        shapes.check_count("min_total_eliminations", min_total_eliminations)
        with self._gate(session_id, request_id, notes, expected_head) as (session, gate):
            verdict = gates.enter_obligation(session, obligation_id, min_total_eliminations, gate)
            answer = Entered(session.snapshot(), verdict.event_id)
        return repeated(answer, verdict.duplicate)

    def request_exit(
        self,
        session_id: SessionId,
        obligation_id: str,
        context: Object | None = None,
        *,
        request_id: str | None = None,
        notes: str | None = None,
        expected_head: ExpectedHead = None,
    ) -> Decision:
        """Ask to leave the active obligation: approved once enough has been eliminated."""
        shapes.check_id("obligation_id", obligation_id)
        about = shapes.free_object("context", context)
        with self._gate(session_id, request_id, notes, expected_head) as (session, gate):
            verdict = gates.request_exit(session, obligation_id, about, gate)
            return verdict.decision(session)

    def waive_obligation(
        self,
        session_id: SessionId,
        obligation_id: str,
        reason: str,
        *,
        request_id: str | None = None,
        notes: str | None = None,
        expected_head: ExpectedHead = None,
    ) -> Decision:
        """Leave the active obligation although its threshold is not met, for a stated reason."""
        shapes.check_id("obligation_id", obligation_id)
        shapes.check_id("reason", reason, 4096)
        with self._gate(session_id, request_id, notes, expected_head) as (session, gate):
            verdict = gates.waive_obligation(session, obligation_id, reason, gate)
            return verdict.decision(session)

    def declare_conclusion(
        self,
        session_id: SessionId,
        conclusion_id: str,
        context: Object | None = None,
        *,
        request_id: str | None = None,
        notes: str | None = None,
        expected_head: ExpectedHead = None,
    ) -> Decision:
        """Conclude something: accepted unless an obligation is active."""
        shapes.check_id("conclusion_id", conclusion_id)
        about = shapes.free_object("context", context)
        with self._gate(session_id, request_id, notes, expected_head) as (session, gate):
            verdict = gates.declare_conclusion(session, conclusion_id, about, gate)
            return verdict.decision(session)

    def request_termination(
        self,
        session_id: SessionId,
        context: Object | None = None,
        *,
        request_id: str | None = None,
        notes: str | None = None,
        expected_head: ExpectedHead = None,
    ) -> Decision:
        """Ask to end the session: approved for a single survivor and stable conclusions."""
        about = shapes.free_object("context", context)
        with self._gate(session_id, request_id, notes, expected_head) as (session, gate):
            verdict = gates.request_termination(session, about, gate)
            return verdict.decision(session)

    def restore_session(
        self, session_id: SessionId, recovered: RecoveredState, audit_events: Sequence[AuditEntry]
    ) -> None:
        """Take a session over from its log, after the log has been verified and replayed. The store
        is not written to; what it recovered must be what the log leads to.
        """
        chosen = shapes.check_uuid("session_id", session_id)
        if self._provider is not None:
            message = "What a provider said cannot be replayed; restore in a server without one."
            raise BeliefServerError("CONFLICT", message)
        with self._sessions.beginning(chosen) as held:
            if held:
                raise BeliefServerError(
                    "CONFLICT", "The session is loaded already.", {"session_id": chosen}
                )
            session, entries = replayed(BeliefServer(), chosen, recovered, audit_events)
            session.log.stamp = self._stamp
            if isinstance(self._audit_log, AdoptingLog):
                self._audit_log.adopt(entries)
            self._sessions.keep(Held(session, self._store, self._audit_log))

    def _new_stamp(self, seq: int, last: float) -> tuple[str, float, str]:
        """Id, time and actor of an event. Its seq is in the low 48 bits of its id."""
        return f"{self._fresh_id()[:24]}{seq:012x}", max(self._clock(), last), self._actor

    def _fresh_id(self) -> str:
        made = self._new_id()
        return str(made) if isinstance(made, UUID) else shapes.check_uuid("new_id", made)

    def _check_eliminates(self, held: Held, expected_head: frozenset[str] | None) -> None:
        if self._provider is not None:
            held.session.check_open(expected_head)
            message = "Hypotheses of a provider are eliminated by apply_probe."
            raise BeliefServerError("CONFLICT", message)

    @contextmanager
    def _gate(
        self,
        session_id: SessionId,
        request_id: str | None,
        notes: str | None,
        expected_head: ExpectedHead,
    ) -> Iterator[tuple[BeliefSession, Gate]]:
        shapes.check_request_id(request_id)
        shapes.check_notes(notes)
        head = shapes.check_head(expected_head)
        with self._sessions.of(session_id) as held:
            yield held.session, Gate(request_id, head, notes, held.publish)
