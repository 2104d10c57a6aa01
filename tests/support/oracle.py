"""The reference kernel behind the arguments of the stored procedures: what SQL is compared with.

What a server inside a process does not have is added here: spaces, defaults of the policy, roles,
looking back. Left out is what it does differently by contract: a session without hypotheses, one
without a policy that may be ended by force, and providers. Ids, times and actors of events are
those that the database chose.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from typing import Any
from uuid import UUID

from cmbs.answers import AuditEntry, BeliefServerError, BeliefSnapshot, OntologyBundle, timestamp
from cmbs.audit_log import recovered_from
from cmbs.belief_server import BeliefServer
from cmbs.kernel import shapes
from cmbs.kernel.canonical import canonical, parse
from cmbs.kernel.session import BeliefSession
from cmbs.kernel.universe import Universe

Json = dict[str, Any]
# session id and seq of an event -> its id, its ts, its actor
Stamp = Callable[[UUID, int], tuple[str, str, str]]
ONTOLOGY = sorted(OntologyBundle.__dataclass_fields__)
BUNDLE = json.dumps(dict.fromkeys(ONTOLOGY, "x"))
STATES = {
    "SESSION_NOT_FOUND": "MB001",
    "OBLIGATION_NOT_FOUND": "MB002",
    "EVENT_NOT_FOUND": "MB003",
    "SPACE_NOT_FOUND": "MB004",
    "SESSION_TERMINATED": "MB101",
    "CONFLICT": "MB102",
    "INVALID_REQUEST": "MB201",
    "INVALID_HYPOTHESIS_ID": "MB202",
    "PAYLOAD_TOO_LARGE": "MB203",
    "FORBIDDEN": "MB302",
}


class Refused(Exception):
    """The call is refused with this SQLSTATE."""

    def __init__(self, code: str, message: str, details: Json) -> None:
        is_stale = code == "CONFLICT" and "expected_head" in details
        self.state = "MB103" if is_stale else STATES[code]
        self.message, self.details = message, details
        super().__init__(self.state, message, details)


@contextmanager
def refusals() -> Iterator[None]:
    try:
        yield
    except BeliefServerError as error:
        raise Refused(error.code, error.message, dict(error.details or {})) from None


def _json(text: str | None) -> Any:
    try:
        return None if text is None else parse(text)
    except ValueError as error:
        raise BeliefServerError("INVALID_REQUEST", "The request is not valid.") from error


def _object(member: str, text: str | None) -> Any:
    value = _json(text)
    if text is not None and not isinstance(value, dict):
        shapes.refuse(member, "must be a JSON object")
    return value


def restored(entries: Sequence[AuditEntry]) -> tuple[BeliefServer, BeliefSnapshot]:
    """What a log alone leads to; the server refuses one that is not as it should be."""
    session_id = entries[0].session_id
    server = BeliefServer()
    server.restore_session(session_id, recovered_from(entries), entries)
    return server, server.query_belief(session_id)


class Oracle:
    def __init__(self, stamp: Stamp, is_policy_role: Callable[[], bool] = lambda: True) -> None:
        self._server, self._is_policy_role = BeliefServer(), is_policy_role
        self._speaks_of = UUID(int=0)

        def stamped(seq: int, _: float) -> tuple[str, float, str]:
            event_id, ts, actor = stamp(self._speaks_of, seq)
            return event_id, timestamp(ts) if ts else 0.0, actor

        self._server._stamp = stamped
        self.sessions: dict[UUID, BeliefSession] = {}
        self.spaces: dict[tuple[str, str], Universe] = {}
        self.defaults: Json = {
            "validate_hypotheses": False,
            "allow_forced_termination": False,
            "stability_window": 0,
        }
        # What a declare was sent with, and the policy that it came to.
        self._declared: dict[UUID, tuple[str, Json]] = {}

    def __call__(self, verb: str, **arguments: Any) -> Json:
        """The answer of a stored procedure, or `Refused`."""
        self._speaks_of = arguments.get("session_id", self._speaks_of)
        with refusals():
            answer: Json = getattr(self, verb)(**arguments)
            return answer

    def entries(self, session_id: UUID) -> list[AuditEntry]:
        return self._server.audit_trace(str(session_id))

    # Registering

    def register_universe(self, hypotheses: Sequence[str | None] | None) -> Json:
        universe = _universe(hypotheses)
        return {"universe_digest": universe.digest, "n_hypotheses": len(universe.ids)}

    def register_space(
        self,
        hypothesis_space_id: str,
        hypothesis_version: str,
        hypotheses: Sequence[str | None] | None,
    ) -> Json:
        shapes.check_id("hypothesis_space_id", hypothesis_space_id)
        shapes.check_id("hypothesis_version", hypothesis_version, 2048)
        universe = _universe(hypotheses)
        known = self.spaces.setdefault((hypothesis_space_id, hypothesis_version), universe)
        if known.digest != universe.digest:
            message = "This version of the space was registered with other hypotheses."
            raise BeliefServerError(
                "CONFLICT",
                message,
                {
                    "hypothesis_space_id": hypothesis_space_id,
                    "hypothesis_version": hypothesis_version,
                    "universe_digest": known.digest,
                },
            )
        return {
            "hypothesis_space_id": hypothesis_space_id,
            "hypothesis_version": hypothesis_version,
            "n_hypotheses": len(universe.ids),
            "universe_digest": universe.digest,
            "duplicate": known is not universe,
        }

    def set_policy_defaults(self, policy: str) -> Json:
        self._check_policy_role()
        self.defaults = self.defaults | self._policy(policy)
        return self.defaults

    # Verbs that add an event

    def declare_session(
        self,
        session_id: UUID,
        ontology: str,
        hypotheses: Sequence[str | None] | None = None,
        metadata: str | None = None,
        policy: str | None = None,
        notes: str | None = None,
        minimal: bool = False,
    ) -> Json:
        bundle = shapes.check_ontology(_object("ontology", ontology))
        about, wanted = _object("metadata", metadata), self._policy(policy)
        if metadata is not None:
            shapes.free_object("metadata", about)
        shapes.check_notes(notes)
        ids = self._declared_ids(session_id, bundle, hypotheses)
        as_sent = canonical(None if policy is None else wanted)
        before, resolved = self._declared.get(session_id, (as_sent, self.defaults | wanted))
        if before != as_sent:
            other = not resolved["allow_forced_termination"]
            resolved = resolved | {"allow_forced_termination": other}
        done = self._server.declare_session(
            bundle, ids, about, policy=resolved, session_id=session_id, notes=notes
        )
        self._declared.setdefault(session_id, (as_sent, resolved))
        self.sessions[session_id] = self._server._sessions.of(done.session_id).session
        event_id = self.sessions[session_id].log.events[0].event_id
        outcome: Json = {"session_id": done.session_id, "audit_event_id": event_id}
        if n_duplicates := len(hypotheses or ()) - len({*(hypotheses or ())}):
            outcome["n_duplicates"] = n_duplicates
        return outcome | _shown(done.snapshot, done.duplicate, minimal)

    def eliminate(
        self,
        session_id: UUID,
        source_id: str | None,
        observation_id: str | None,
        eliminated: Sequence[str | None] | None,
        justification: str | None = None,
        minimal: bool = False,
        **about: Any,
    ) -> Json:
        done = self._server.eliminate(
            str(session_id),
            source_id,  # type: ignore[arg-type]
            observation_id,  # type: ignore[arg-type]
            eliminated,  # type: ignore[arg-type]
            _object("justification", justification),
            **_known(about),
        )
        outcome = {
            "applied_eliminated": done.applied,
            "ignored_eliminated": done.ignored,
            "audit_event_id": done.event_id,
        }
        return outcome | _shown(done.snapshot, done.duplicate, minimal)

    def eliminate_batch(
        self, session_id: UUID, messages: str, minimal: bool = False, **about: Any
    ) -> Json:
        done = self._server.eliminate_batch(str(session_id), _json(messages), **_known(about))
        results = [
            {
                "applied_eliminated": one.applied,
                "ignored_eliminated": one.ignored,
                "audit_event_id": one.event_id,
                "duplicate": one.duplicate,
            }
            for one in done.results
        ]
        outcome = {"results": results, "audit_event_id": done.event_id}
        return outcome | _shown(done.snapshot, done.duplicate, minimal)

    def enter_obligation(
        self,
        session_id: UUID,
        obligation_id: str,
        min_total_eliminations: int,
        minimal: bool = False,
        **about: Any,
    ) -> Json:
        done = self._server.enter_obligation(
            str(session_id), obligation_id, min_total_eliminations, **_known(about)
        )
        return {"audit_event_id": done.event_id} | _shown(done.snapshot, done.duplicate, minimal)

    def request_exit(self, session_id: UUID, obligation_id: str, **about: Any) -> Json:
        return self._gate("request_exit", session_id, obligation_id, **about)

    def waive_obligation(
        self, session_id: UUID, obligation_id: str, reason: str, **about: Any
    ) -> Json:
        self._check_policy_role()
        return self._gate("waive_obligation", session_id, obligation_id, reason, **about)

    def declare_conclusion(self, session_id: UUID, conclusion_id: str, **about: Any) -> Json:
        return self._gate("declare_conclusion", session_id, conclusion_id, **about)

    def request_termination(self, session_id: UUID, **about: Any) -> Json:
        return self._gate("request_termination", session_id, **about)

    def _gate(
        self, verb: str, session_id: UUID, *about: str, minimal: bool = False, **more: Any
    ) -> Json:
        if "context" in more:
            more["context"] = _object("context", more["context"])
        done = getattr(self._server, verb)(str(session_id), *about, **_known(more))
        decided = "accepted" if verb == "declare_conclusion" else "approved"
        outcome = {decided: done.approved, "reason": done.reason, "audit_event_id": done.event_id}
        return outcome | _shown(done.snapshot, done.duplicate, minimal)

    # Verbs that look

    def query_belief(
        self,
        session_id: UUID,
        as_of: UUID | None = None,
        minimal: bool = False,
        as_of_time: str | None = None,
    ) -> Json:
        if as_of and as_of_time:
            shapes.refuse("as_of_time", "must not be given with as_of")
        snapshot = self._server.query_belief(str(session_id))
        if as_of or as_of_time:
            entries = self.entries(session_id)
            n_past = self._seq(session_id, as_of) if as_of else _n_until(entries, str(as_of_time))
            snapshot = restored(entries[:n_past])[1]
        return _minimal(snapshot.to_dict(), minimal)

    def audit_event(self, session_id: UUID, event_id: UUID) -> Json:
        return self.entries(session_id)[self._seq(session_id, event_id) - 1].to_dict()

    def audit_trace(
        self, session_id: UUID, since_event_id: UUID | None = None, limit: int | None = None
    ) -> Json:
        if limit is not None and not 1 <= limit <= 10_000:
            shapes.refuse("limit", "must be a whole number from 1 to 10000")
        since = str(since_event_id) if since_event_id else None
        rest = self._server.audit_trace(str(session_id), since)
        page = rest if limit is None else rest[:limit]
        return {
            "events": [entry.to_dict() for entry in page],
            "next_since_event_id": page[-1].event_id if len(page) < len(rest) else None,
        }

    def why(self, session_id: UUID, hypothesis_id: str) -> Json:
        entries = self.entries(session_id)
        if hypothesis_id not in entries[0].payload["hypotheses"]:
            message = "Some ids are not hypotheses of this session."
            details = {"invalid": [hypothesis_id], "n_invalid": 1}
            raise BeliefServerError("INVALID_HYPOTHESIS_ID", message, details)
        by = None
        for entry in entries:
            if hypothesis_id in entry.delta["eliminated"]:
                members = entry.to_dict()
                named = ("source_id", "observation_id", "justification")
                by = {name: members[name] for name in ("event_id", "seq", "ts", "actor")}
                by |= {name: entry.payload[name] for name in named}
        return {"hypothesis_id": hypothesis_id, "survives": by is None, "eliminated_by": by}

    # What the views show

    def n_survivors(self, session_id: UUID) -> list[int]:
        """After each event."""
        entries = self.entries(session_id)
        n_gone = accumulate(len(entry.delta["eliminated"]) for entry in entries)
        return [entries[0].payload["n_hypotheses"] - n for n in n_gone]

    def obligations(self, session_id: UUID) -> list[tuple[str, str, int, int]]:
        """Id, state, threshold and what counted for it, in the order of entry."""
        found: list[list[Any]] = []
        for entry in self.entries(session_id):
            payload = entry.payload
            if entry.verb == "ENTER_OBLIGATION":
                minimum = payload["min_total_eliminations"]
                found.append([payload["obligation_id"], "active", minimum, 0])
            elif found and found[-1][1] == "active":
                found[-1][3] += len(entry.delta["eliminated"])
                if entry.verb == "WAIVE_OBLIGATION":
                    found[-1][1] = "waived"
                elif entry.verb == "REQUEST_EXIT" and payload["approved"]:
                    found[-1][1] = "exited"
        return [(one[0], one[1], one[2], one[3]) for one in found]

    def conclusions(self, session_id: UUID) -> list[tuple[str, bool]]:
        return [
            (entry.payload["conclusion_id"], entry.payload["accepted"])
            for entry in self.entries(session_id)
            if entry.verb == "DECLARE_CONCLUSION"
        ]

    def _declared_ids(
        self, session_id: UUID, bundle: OntologyBundle, hypotheses: Sequence[str | None] | None
    ) -> list[str]:
        if hypotheses is not None:
            return _universe(hypotheses).ids
        space = bundle.hypothesis_space_id, bundle.hypothesis_version
        if space in self.spaces:
            return self.spaces[space].ids
        if session_id in self.sessions:
            # No universe is that of the session then.
            return ["another", *self.sessions[session_id].universe.ids]
        raise BeliefServerError(
            "SPACE_NOT_FOUND",
            "There is no such hypothesis space.",
            {"hypothesis_space_id": space[0], "hypothesis_version": space[1]},
        )

    def _seq(self, session_id: UUID, event_id: UUID) -> int:
        entries = self.entries(session_id)
        return len(entries) - len(self._server.audit_trace(str(session_id), str(event_id)))

    def _policy(self, text: str | None) -> Json:
        wanted = _object("policy", text) or {}
        shapes.check_policy(wanted, False)
        return dict(wanted)

    def _check_policy_role(self) -> None:
        if not self._is_policy_role():
            raise BeliefServerError("FORBIDDEN", "This is for the policy role only.")


def hash_of(hypotheses: Iterable[str], survivors: Iterable[str]) -> str:
    """The survivors_hash of a part of a universe."""
    universe = Universe(hypotheses)
    gone = set(universe.ids).difference(survivors)
    return universe.survivors_hash(universe.without(universe.full_mask, gone))


def _known(arguments: Json) -> Json:
    head = arguments.get("expected_head")
    return arguments | ({"expected_head": str(head)} if head else {})


def _universe(hypotheses: Sequence[str | None] | None) -> Universe:
    universe = Universe(shapes.check_ids("hypotheses", hypotheses))
    if not universe.ids:
        shapes.refuse("hypotheses", "must hold at least one id")
    return universe


def _n_until(entries: Sequence[AuditEntry], time: str) -> int:
    # Recorded times have one form, so that their order is that of their texts.
    times = [entry.to_dict()["ts"] for entry in entries]
    if not (n_past := sum(ts <= time for ts in times)):
        message = "The session was not declared yet at this time."
        details = {"session_id": entries[0].session_id, "declared_at": times[0]}
        raise BeliefServerError("EVENT_NOT_FOUND", message, details)
    return n_past


def _minimal(snapshot: Json, minimal: bool) -> Json:
    return {name: one for name, one in snapshot.items() if not minimal or name != "survivors"}


def _shown(snapshot: BeliefSnapshot, duplicate: bool, minimal: bool) -> Json:
    return {"duplicate": duplicate, "snapshot": _minimal(snapshot.to_dict(), minimal)}
