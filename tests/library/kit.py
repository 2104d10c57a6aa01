"""What the tests of the belief server inside a process share."""

import itertools
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from cmbs import verify
from cmbs.answers import AuditEntry, BeliefServerError, BeliefSnapshot, OntologyBundle
from cmbs.audit_log import recovered_from
from cmbs.belief_server import BeliefServer
from cmbs.core import CMBSCore
from cmbs.spi.elimination_store import EliminationProvenance, EliminationResult, RecoveredState

# No example is too slow: how long one takes is the machine's affair.
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
ONTOLOGY = OntologyBundle("itb", "v1", "graph://repl", "v17")
IDS = ["a", "b", "c", "d"]
NO_ID = "00000000-0000-4000-8000-000000000000"
FORCE = {"force": True}
# Every verb that changes a session, as it may be called after ENTER_OBLIGATION of "o".
Call = tuple[str, dict[str, Any]]
ELIMINATE: Call = (
    "eliminate",
    {"source_id": "s", "observation_id": "1", "eliminated": ["a"], "justification": {"why": 1}},
)
BATCH: Call = (
    "eliminate_batch",
    {"messages": [{"source_id": "s", "observation_id": "2", "eliminated": ["b"]}]},
)
ENTER: Call = ("enter_obligation", {"obligation_id": "p", "min_total_eliminations": 1})
EXIT: Call = ("request_exit", {"obligation_id": "o", "context": {"k": 1}})
WAIVE: Call = ("waive_obligation", {"obligation_id": "o", "reason": "why"})
CONCLUDE: Call = ("declare_conclusion", {"conclusion_id": "c", "context": {"k": 1}})
TERMINATE: Call = ("request_termination", {"context": {"k": 1}})
GATES = [ENTER, EXIT, WAIVE, CONCLUDE, TERMINATE]
VERBS = [ELIMINATE, BATCH, *GATES]


def verb_name(call: object) -> str:
    return call[0] if isinstance(call, tuple) else str(call)


def declared(server: BeliefServer, ids: Iterable[str] = IDS, **more: Any) -> str:
    return server.declare_session(ONTOLOGY, ids, **more).session_id


def ready(server: BeliefServer, call: Call) -> str:
    """A session in which the call will not be refused."""
    session_id = declared(server)
    if call in (EXIT, WAIVE):
        server.enter_obligation(session_id, "o", 0)
    return session_id


def send(server: BeliefServer, session_id: str, call: Call, **more: Any) -> Any:
    name, arguments = call
    return getattr(server, name)(session_id, **arguments | more)


def play(server: BeliefServer, session_id: str) -> None:
    """Something of every verb and of every answer, up to the end of the session."""
    server.eliminate(session_id, "s", "1", ["a", "nowhere", "a"], {"é": [1.5, None]}, notes="n")
    server.eliminate(session_id, "s", "2", [])
    server.enter_obligation(session_id, "o", 2, request_id="enter")
    server.eliminate(session_id, "t", "1", ["b"])
    server.declare_conclusion(session_id, "c")
    server.request_termination(session_id, FORCE)
    server.request_exit(session_id, "o", {"k": {}}, request_id="exit")
    batch = [{"source_id": "t", "observation_id": no, "eliminated": ["c", "x"]} for no in "234"]
    server.eliminate_batch(session_id, batch)
    server.request_exit(session_id, "o", notes="")
    server.enter_obligation(session_id, "\U0001f52c", 9)
    server.waive_obligation(session_id, "\U0001f52c", "cannot be met", request_id="waive")
    server.declare_conclusion(session_id, "c", request_id="conclude")
    server.request_termination(session_id, {"force": False}, request_id="end")


def refused(code: str, call: Callable[..., Any], *given: Any, **more: Any) -> dict[str, Any]:
    """The details of the error."""
    with pytest.raises(BeliefServerError) as caught:
        call(*given, **more)
    assert caught.value.code == code, str(caught.value)
    assert caught.value.message.endswith(".")
    details = dict(caught.value.details or {})
    assert json.loads(json.dumps(details)) == details
    return details


def core_of(server: BeliefServer, session_id: str) -> CMBSCore:
    return server._sessions.of(session_id).session.core


def state(server: BeliefServer, session_id: str) -> Any:
    """All there is to know of a session."""
    session = server._sessions.of(session_id).session
    return (
        server.query_belief(session_id).to_dict(),
        server.audit_trace(session_id),
        session.core.serialize(),
        session.mask,
        dict(session.log.observations),
        dict(session.log.requests),
    )


def lines_of(entries: Sequence[AuditEntry]) -> list[bytes]:
    """The lines of an auditor, written by nothing of the library."""
    lines = []
    for entry in entries:
        line = {"event_hash": entry.event_hash, "record": entry.record()}
        if entry.seq == 1:
            line["hypotheses"] = entry.payload["hypotheses"]
        lines.append(json.dumps(line).encode() + b"\n")
    return lines


def verified(lines: Iterable[bytes], snapshot: BeliefSnapshot) -> None:
    """The verifier of files replays the log, and comes to the same snapshot."""
    log = verify.Log()
    for line in lines:
        log.feed(line)
    log.finish()
    assert log.snapshot() == snapshot.to_dict()


def check(server: BeliefServer, session_id: str) -> None:
    verified(lines_of(server.audit_trace(session_id)), server.query_belief(session_id))


def told_by(server: BeliefServer, session_id: str) -> RecoveredState:
    """What a store would say of a session."""
    return recovered_from(server.audit_trace(session_id))


def ticking(start: float = 1_700_000_000.0) -> Callable[[], float]:
    ticks = itertools.count()
    return lambda: start + next(ticks) / 1000


class Failure(Exception):
    """What a sink or a store raises when it is told to."""


class Sink:
    """An audit log in memory that fails when it is told to."""

    def __init__(self) -> None:
        self.calls: list[list[AuditEntry]] = []
        self.fails = False

    def extend(self, entries: list[AuditEntry], /) -> None:
        if self.fails:
            raise Failure
        self.calls.append(entries)

    @property
    def entries(self) -> list[AuditEntry]:
        return [entry for entries in self.calls for entry in entries]


class Store:
    """A store that fails when it is told to, before it has changed anything."""

    def __init__(self) -> None:
        self.sessions: dict[str, tuple[frozenset[str], set[str]]] = {}
        self.told: list[EliminationProvenance] = []
        self.fails = False

    def __len__(self) -> int:
        # An empty store is a store.
        return len(self.sessions)

    def create_session(self, session_id: str, hypothesis_ids: Iterable[str]) -> None:
        if self.fails:
            raise Failure
        ids = frozenset(hypothesis_ids)
        if self.sessions.setdefault(session_id, (ids, set()))[0] != ids:
            raise ValueError("another set")

    def eliminate(
        self, session_id: str, eliminated: Iterable[str], provenance: EliminationProvenance
    ) -> EliminationResult:
        if self.fails:
            raise Failure
        ids, gone = self.sessions[session_id]
        asked = frozenset(eliminated)
        applied = (asked & ids) - gone
        gone |= applied
        self.told.append(provenance)
        return EliminationResult(applied, asked - applied)

    def get_survivors(self, session_id: str) -> frozenset[str]:
        ids, gone = self.sessions[session_id]
        return ids - gone

    def get_eliminated(self, session_id: str) -> frozenset[str]:
        return frozenset(self.sessions[session_id][1])

    def recover(self, session_id: str) -> RecoveredState:
        ids, gone = self.sessions[session_id]
        return RecoveredState(ids, frozenset(gone), ids - gone)


class Provider:
    """Two probes: "low" answers what is not below, "rules" is told what it rules out."""

    def __init__(self, ids: Sequence[str] = IDS) -> None:
        self.ids = ids
        self.asked: list[tuple[str, Any]] = []

    def __len__(self) -> int:
        return 0

    def id(self) -> str:
        return "letters"

    def version(self) -> str:
        return "1"

    def hypothesis_ids(self) -> Iterable[str]:
        return iter(self.ids)

    def probe_ids(self) -> Iterable[str]:
        return iter(["low", "rules"])

    def apply_probe(self, probe_id: str, response: Any) -> Mapping[str, bool]:
        self.asked.append((probe_id, response))
        if probe_id == "rules":
            return dict(response)
        return {one: one > response for one in self.ids}
