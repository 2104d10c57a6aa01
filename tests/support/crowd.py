"""Many clients at once, each with a connection and a ledger of what it was told."""

import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

import psycopg

from cmbs.answers import AuditEntry
from cmbs.database.calls import call
from cmbs.errors import BeliefError
from tests.support.oracle import BUNDLE, restored
from tests.support.pair import agree

N_CLIENTS = 32
Call = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Told:
    verb: str
    arguments: dict[str, Any]
    answer: Any = None
    error: BeliefError | None = None

    @property
    def state(self) -> str | None:
        return self.error.sqlstate if self.error else None

    def events(self) -> Iterator[tuple[str, bool]]:
        """The events that the answer names, and whether it says that they are repeats."""
        if self.answer and "audit_event_id" in self.answer:
            for one in self.answer.get("results", [self.answer]):
                yield one["audit_event_id"], one["duplicate"]


class Crowd:
    def __init__(self, database: str) -> None:
        self.database = database
        self.connections = [psycopg.connect(database, autocommit=True) for _ in range(N_CLIENTS)]
        self.ledger: list[Told] = []

    def run(self, script: Callable[[int], Iterable[Call]]) -> list[Told]:
        """Every client does its script, as fast as it can."""
        return self._all(script, None)

    def race(self, calls: Callable[[int], Iterable[Call]]) -> list[list[Told]]:
        """Every client does its nth call when all have done the one before: the nth answers of
        all clients stand together. All scripts have the same length."""
        told = self._all(calls, threading.Barrier(N_CLIENTS, timeout=60))
        length = len(told) // N_CLIENTS
        return [told[no::length] for no in range(length)]

    def tell(self, verb: str, **arguments: Any) -> Any:
        """One call by one client."""
        told = _tell(self.connections[0], verb, arguments)
        self.ledger.append(told)
        if told.error:
            raise told.error
        return told.answer

    def declare(self, hypotheses: Iterable[str], **arguments: Any) -> UUID:
        session_id = uuid4()
        sent = {"session_id": session_id, "ontology": BUNDLE, "hypotheses": list(hypotheses)}
        self.tell("declare_session", **sent | arguments)
        return session_id

    def _all(
        self, script: Callable[[int], Iterable[Call]], step: threading.Barrier | None
    ) -> list[Told]:
        ready = threading.Barrier(N_CLIENTS, timeout=60)

        def work(client: int) -> list[Told]:
            calls = list(script(client)) if step else script(client)
            told = []
            ready.wait()
            try:
                for verb, arguments in calls:
                    if step:
                        step.wait()
                    told.append(_tell(self.connections[client], verb, arguments))
            except BaseException:
                if step:
                    step.abort()
                raise
            return told

        with ThreadPoolExecutor(N_CLIENTS) as workers:
            told = [one for part in workers.map(work, range(N_CLIENTS)) for one in part]
        self.ledger += told
        return told

    def check(self) -> None:
        """No fork, no gap, nothing lost, nothing doubled, no deadlock."""
        for connection in self.connections:
            connection.close()
        with psycopg.connect(self.database, autocommit=True) as auditor:
            broken = auditor.execute("select * from cmbs.verify_all() where not ok").fetchall()
            assert broken == []
            self._check_ledger(auditor)
            for (session_id,) in auditor.execute("select session_id from cmbs.session limit 5"):
                check_by_the_oracle(auditor, session_id)
            found = auditor.execute(
                "select deadlocks from pg_stat_database where datname = current_database()"
            ).fetchone()
            assert found == (0,)

    def _check_ledger(self, auditor: psycopg.Connection[Any]) -> None:
        logged = [
            str(event_id)
            for (event_id,) in auditor.execute("select event_id from cmbs.audit_event")
        ]
        named = [event for told in self.ledger for event in told.events()]
        assert sorted(event for event, is_repeat in named if not is_repeat) == sorted(logged)
        assert {event for event, is_repeat in named if is_repeat} <= set(logged)
        gaps = auditor.execute(
            "select session_id from cmbs.audit_event group by session_id "
            "having min(seq) <> 1 or max(seq) <> count(*) or count(distinct prev_event_hash) "
            "<> count(*)"
        ).fetchall()
        assert gaps == []


def _tell(connection: psycopg.Connection[Any], verb: str, arguments: dict[str, Any]) -> Told:
    try:
        return Told(verb, arguments, answer=call(connection, verb, **arguments))
    except BeliefError as error:
        return Told(verb, arguments, error=error)


def check_by_the_oracle(connection: psycopg.Connection[Any], session_id: UUID) -> None:
    """Every decision of the log is the one that follows from the events before it."""
    found = connection.execute("select cmbs.audit_lines(%s)::json", [session_id])
    lines = [line for (line,) in found]
    entries = [
        AuditEntry.from_record(line["record"], line["event_hash"], line.get("hypotheses"))
        for line in lines
    ]
    snapshot = call(connection, "query_belief", session_id=session_id)
    agree(snapshot, restored(entries)[1].to_dict())


@contextlib.contextmanager
def crowd_of(database: str) -> Iterator[Crowd]:
    """Checks at the end what must hold whatever the clients did."""
    crowd = Crowd(database)
    try:
        yield crowd
        crowd.check()
    finally:
        for connection in crowd.connections:
            connection.close()
