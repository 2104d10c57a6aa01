"""What tests of the kernel share: sessions to work on, refusals that change nothing, waiting."""

import contextlib
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg.types.json import Json

from cmbs.database.calls import call
from tests.support.tables import TABLES

Connection = psycopg.Connection[Any]

ONTOLOGY = {
    "hypothesis_space_id": "space",
    "hypothesis_version": "1",
    "causal_graph_ref": "graph",
    "causal_graph_version": "2",
}
NOBODY = UUID("00000000-0000-4000-8000-000000000000")
NO_EVENT = UUID("00000000-0000-4000-8000-00000000ffff")


class Session:
    """A declared session and its verbs; observations get a new name when none is given."""

    def __init__(
        self, connection: Connection, hypotheses: Iterable[str] | None = "abcd", **arguments: object
    ) -> None:
        self.connection = connection
        self.declared = declare(connection, hypotheses, **arguments)
        self.id = UUID(self.declared["session_id"])
        self._observations = 0

    def __call__(self, verb: str, **arguments: object) -> Any:
        return call(self.connection, verb, session_id=self.id, **arguments)

    def eliminate(
        self,
        *ids: str,
        source_id: str = "source",
        observation_id: str | None = None,
        **arguments: object,
    ) -> Any:
        self._observations += 1
        return self(
            "eliminate",
            source_id=source_id,
            observation_id=observation_id or f"observation {self._observations}",
            eliminated=list(ids),
            **arguments,
        )

    def enter(self, obligation_id: str = "o", minimum: int = 1, **arguments: object) -> Any:
        return self(
            "enter_obligation",
            obligation_id=obligation_id,
            min_total_eliminations=minimum,
            **arguments,
        )

    def exit(self, obligation_id: str = "o", **arguments: object) -> Any:
        return self("request_exit", obligation_id=obligation_id, **arguments)

    def waive(self, obligation_id: str = "o", reason: str = "because", **more: object) -> Any:
        return self("waive_obligation", obligation_id=obligation_id, reason=reason, **more)

    def conclude(self, conclusion_id: str = "c", **arguments: object) -> Any:
        return self("declare_conclusion", conclusion_id=conclusion_id, **arguments)

    def terminate(self, **arguments: object) -> Any:
        return self("request_termination", **arguments)

    def batch(self, *messages: dict[str, Any], **arguments: object) -> Any:
        return self("eliminate_batch", messages=Json(list(messages)), **arguments)

    def snapshot(self, **arguments: object) -> Any:
        return self("query_belief", **arguments)

    def events(self) -> list[dict[str, Any]]:
        events: list[dict[str, Any]] = self("audit_trace")["events"]
        return events

    def last_event(self) -> dict[str, Any]:
        return self.events()[-1]

    def is_whole(self) -> bool:
        found = self("verify")
        return bool(found["ok"]) and found["rows_checked"] == self.snapshot()["audit_seq"]

    def refuses(self, error: type[psycopg.Error], verb: str, **arguments: object) -> Any:
        return refused(self.connection, error, verb, session_id=self.id, **arguments)


def declare(
    connection: Connection, hypotheses: Iterable[str] | None = "abcd", **arguments: object
) -> Any:
    ids = None if hypotheses is None else list(hypotheses)
    sent = {"session_id": uuid4(), "ontology": Json(ONTOLOGY), "hypotheses": ids} | arguments
    return call(connection, "declare_session", **sent)


def begin_context(connection: Connection, context_id: str = "context", *gone: str) -> None:
    """An elimination context over a to d, of which some are gone."""
    call(connection, "create_context", context_id=context_id, hypotheses=list("abcd"))
    eliminate_in_context(connection, context_id, *gone)


def eliminate_in_context(connection: Connection, context_id: str, *ids: str, **more: object) -> Any:
    sent = {"source_id": "source", "trigger": "trigger"} | more
    arguments = {"context_id": context_id, "eliminated": list(ids), **sent}
    return call(connection, "eliminate_in_context", **arguments)


def message(*ids: str, observation_id: str = "m", **more: object) -> dict[str, Any]:
    """One ELIMINATE message of a batch."""
    return {
        "source_id": "source",
        "observation_id": observation_id,
        "eliminated": list(ids),
        **more,
    }


def refused(
    connection: Connection, error: type[psycopg.Error], verb: str, **arguments: object
) -> Any:
    """The error that a call ends with; nothing may have changed by it."""
    before = contents(connection)
    with pytest.raises(error) as caught, connection.transaction():
        call(connection, verb, **arguments)
    assert contents(connection) == before, "a refused call changed something"
    return caught.value


def contents(connection: Connection) -> list[Any]:
    """How many rows every table holds, and every row that may be changed of what is worked on."""
    parts = [f"select '{name}', count(*)::text from cmbs_store.{name}" for name in TABLES]
    parts.append("select 'row', s::text from cmbs_store.session as s")
    parts.append("select 'row', c::text from cmbs_store.context as c")
    parts.append("select 'row', i::text from cmbs_store.incident as i")
    parts.append("select 'row', h::text from cmbs_store.graph_head as h")
    parts.append("select 'row', m::text from cmbs_store.tee_message as m")
    # Ordered, because a parallel plan returns the parts as they come.
    rows = " union all ".join(parts) + " order by 1, 2"
    return connection.execute(rows.encode()).fetchall()


def rich_session(connection: Connection) -> tuple[Session, list[dict[str, Any]]]:
    """A session with every verb, approved and denied, and the answers in order of their events."""
    ids = ["a", "b", "c", "d", "e", "Ä", "ä/%2F", "\U0001f600", "\ue000", 'q"\\\n']
    session = Session(
        connection,
        ids,
        metadata=Json({"by": "x", "n": 1.5}),
        policy=Json({"stability_window": 2}),
        notes="a note",
    )
    answers = [
        session.declared,
        session.eliminate("b", "zz", "b", justification=Json({"why": [1, None]})),
        session.conclude("first", request_id="r1"),
        session.enter("o", 2, notes="n"),
        session.exit("o", context=Json({"k": "v"})),
        session.conclude("first", context=Json({"k": "v"})),
        session.terminate(request_id="r2"),
        session.eliminate("b", "zz", source_id="other"),
        session.eliminate("ä/%2F", "c", source_id="other"),
        session.exit("o", request_id="r3"),
        session.enter("never", 1000, request_id="r4"),
        session.waive("never", "cannot be met", request_id="r5"),
        session.enter("o", 0),
        session.exit("o"),
        session.batch(message("d", observation_id="m1"), message("e", observation_id="m2")),
        session.eliminate("a", "Ä", "\U0001f600", "\ue000", source_id='s"\\\u0001'),
        session.terminate(context=Json({"force": True})),
        session.conclude("last"),
        session.conclude("last"),
        session.terminate(context=Json({"force": False}), request_id="r6"),
    ]
    assert answers[-1]["approved"], "the last message ends the session"
    return session, answers


class Background:
    """Calls in threads of their own, each on a connection of its own, awaited by what they do."""

    def __init__(self, database: str) -> None:
        self._database = database
        self._watcher = psycopg.connect(database, autocommit=True)
        self._workers = ThreadPoolExecutor(16)
        self._connections: list[Connection] = []

    def call(self, verb: str, **arguments: object) -> "Future[Any]":
        connection = psycopg.connect(self._database, autocommit=True)
        self._connections.append(connection)
        return self._workers.submit(call, connection, verb, **arguments)

    def wait_until_blocked(self, n: int = 1) -> None:
        """Until n calls wait for a lock, so that what comes next happens while they do."""
        pids = [connection.info.backend_pid for connection in self._connections]
        deadline = time.monotonic() + 30
        blocked = "select count(*) from pg_stat_activity where pid = any(%s) "
        blocked += "and wait_event_type = 'Lock'"
        pause = threading.Event()
        while self._watcher.execute(blocked, [pids]).fetchone() != (n,):
            assert time.monotonic() < deadline, "the calls never came to wait for a lock"
            pause.wait(0.005)

    def close(self) -> None:
        self._workers.shutdown()
        for connection in [*self._connections, self._watcher]:
            connection.close()


@contextlib.contextmanager
def background(database: str) -> Iterator[Background]:
    calls = Background(database)
    try:
        yield calls
    finally:
        calls.close()
