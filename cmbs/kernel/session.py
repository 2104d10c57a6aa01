"""One session in this process: what it was declared with, what it believes, and its log.

Every verb first decides and writes its event down, which may be refused; then publishes the event,
which may fail; and only then changes the session, which cannot fail.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from cmbs.kernel.answers import (
    ActiveObligation,
    BeliefServerError,
    BeliefSnapshot,
    OntologyBundle,
    SessionPolicy,
    timestamp_text,
)
from cmbs.kernel.canonical import canonical
from cmbs.kernel.core import CMBSCore
from cmbs.kernel.event_log import Event, Log, Stamp
from cmbs.kernel.universe import Universe

# Hands events on to whoever keeps them; what it raises undoes the verb.
Publish = Callable[[Sequence[Event]], None]


class BeliefSession:
    def __init__(
        self,
        session_id: str,
        ontology: OntologyBundle,
        universe: Universe,
        policy: SessionPolicy,
        stamp: Stamp,
    ) -> None:
        self.session_id, self.ontology, self.policy = session_id, ontology, policy
        self.universe = universe
        self.core = CMBSCore(universe.ids, policy.stability_window)
        # The core's survivors once more, in the form that is hashed.
        self.mask = universe.full_mask
        self.log = Log(session_id, universe, stamp)
        # Of one obligation at a time; the core counts for it.
        self.obligation_id: str | None = None
        self.minimum = 0

    def declare(self, metadata: str | None, notes: str | None, publish: Publish) -> None:
        """Event 1; the metadata is canonical text."""
        members = {
            "ontology": canonical(self.ontology.to_dict()),
            "universe_digest": f'"{self.universe.digest}"',
            "n_hypotheses": str(len(self.universe.ids)),
            "policy": canonical(asdict(self.policy)),
        }
        if metadata is not None:
            members["metadata"] = metadata
        after_hash = self.universe.survivors_hash(self.mask)
        event = self.log.next_event(
            self.log.head, "DECLARE_SESSION", payload_text(members), notes, after_hash
        )
        publish([event])
        self.log.events.append(event)

    def lose(self, event: Event, observation_id: str, applied: Sequence[str], mask: bytes) -> None:
        """Take over an event that eliminates, and the mask after it."""
        self.core.submit_probe_result(event.event_id, observation_id, applied)
        self.mask = mask
        self.log.events.append(event)

    def check_open(self, expected: frozenset[str] | None) -> None:
        head = self.log.head.event_id
        if expected is not None and head not in expected:
            heads = sorted(expected)
            raise BeliefServerError(
                "CONFLICT",
                "The session has moved on since it was read.",
                {
                    "expected_head": heads[0] if len(heads) == 1 else heads,
                    "audit_head_event_id": head,
                },
            )
        if self.core.is_terminated:
            raise BeliefServerError(
                "SESSION_TERMINATED", "The session is terminated.", {"session_id": self.session_id}
            )

    def snapshot(self) -> BeliefSnapshot:
        head = self.log.head
        members: dict[str, Any] = {
            "session_id": self.session_id,
            "ontology": self.ontology,
            "terminated": self.core.is_terminated,
            "active_obligation_id": self.obligation_id,
            "audit_head_event_id": head.event_id,
            "n_hypotheses": len(self.universe.ids),
            "audit_head_hash": head.event_hash,
            "audit_seq": head.seq,
            "survivors_hash": head.survivors_hash,
            "policy": self.policy,
            "active_obligation": self._active_obligation(),
            "owner": self.log.owner,
            "declared_at": timestamp_text(self.log.events[0].ts),
            "audit_head_at": timestamp_text(head.ts),
        }
        survivors = partial(self.universe.members, self.mask)
        return BeliefSnapshot.counted(self.core.survivor_count, survivors, members)

    def _active_obligation(self) -> ActiveObligation | None:
        if self.obligation_id is None:
            return None
        counted = self.core.obligation_count(self.obligation_id)
        satisfiable = self.minimum <= self.core.survivor_count + counted
        return ActiveObligation(self.obligation_id, self.minimum, counted, satisfiable)


def payload_text(members: dict[str, str]) -> str:
    """Members that are canonical text already, in canonical order; their names are plain."""
    in_order = sorted(members, key=lambda name: (len(name), name))
    return "{" + ", ".join(f'"{name}": {members[name]}' for name in in_order) + "}"
