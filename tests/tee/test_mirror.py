"""The mirror: what a Tee is told, in which order, and what it takes for that to be late."""

import asyncio
import contextlib
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import grpc
import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from psycopg.conninfo import make_conninfo
from psycopg.types.json import Json

from cmbs.database.calls import call
from cmbs.database.pool import Database
from cmbs.tee.mirror import Mirror, TeeAway
from tests.http.test_upkeep import shift
from tests.support import web
from tests.support.beliefs import Connection, Session
from tests.support.served import free_port
from tests.support.servers import ROOT, until
from tests.support.sizes import size
from tests.tee.others import OlderTee, older
from tests.tee.serving import SAID, delta, ids_of, say, serving

NODES = "abcdef"
EDGES = [("a", "b"), ("b", "c"), ("c", "a"), ("d", "e")]


@pytest.fixture
def connection(database: str) -> Iterator[Connection]:
    with psycopg.connect(database, autocommit=True) as connection:
        yield connection


@contextlib.contextmanager
def mirrored(database: str, connection: Connection) -> Iterator[grpc.Channel]:
    """A Tee on the database, its graph, and sessions mirrored to it."""
    with serving(database) as address, grpc.insecure_channel(address) as channel:
        say(channel, "MergeHypothesis", delta(NODES, EDGES))
        call(connection, "set_mirror", endpoint=address)
        yield channel


def rounds(database: str, n: int = 1) -> None:
    """Let a process tell all that it can now, several times over."""

    async def tell() -> None:
        store = Database(make_conninfo(database, user="cmbs_server"), 2, 10, 5.0)
        async with store.opened():
            mirror = Mirror(store.call)
            try:
                for _ in range(n):
                    while await mirror.once():
                        pass
            finally:
                await mirror.close()

    asyncio.run(tell())


def of_incident(connection: Connection, incident: str, **more: object) -> Session:
    """A session whose universe is an incident's."""
    return Session(connection, None, universe_from=Json({"tee_incident": incident, **more}))


def survivors(session: Session) -> set[str]:
    return {*session("query_belief")["survivors"]}


def outbox(connection: Connection) -> list[tuple[Any, ...]]:
    query = "select session_id, seq, state, n_attempts, last_error from cmbs.tee_message order by "
    return connection.execute(query + "created_at, session_id, seq").fetchall()


def status(connection: Connection) -> Any:
    return call(connection, "read_mirror")


@pytest.mark.parametrize("edges", [False, True])
def test_the_live_view_agrees_after_every_mirrored_message(
    database: str, connection: Connection, edges: bool
) -> None:
    some = st.lists(
        st.sampled_from([*NODES, "nobody", "edge:a|b|DEPENDS_ON", "edge:d|e|DEPENDS_ON"]),
        max_size=3,
    )
    with mirrored(database, connection) as channel:

        @settings(
            deadline=None, max_examples=size(3, 15), suppress_health_check=[HealthCheck.too_slow]
        )
        @given(
            st.lists(st.sampled_from(NODES), max_size=2),
            st.lists(some | st.lists(some), max_size=5),
        )
        def agree(gone: list[str], steps: list[Any]) -> None:
            incident = str(uuid4())
            say(channel, "CreateIncident", incident_id=incident)
            if gone:
                say(
                    channel,
                    "MergeNodeTombstones",
                    **{"incident_id": incident, "node_ids": gone, "provenance": SAID},
                )
            # What is merged later is of no concern to it.
            say(
                channel,
                "MergeHypothesis",
                delta([f"later {incident}"], [("a", f"later {incident}")]),
            )
            session = of_incident(connection, incident, **({"edges": True} if edges else {}))

            def agrees() -> bool:
                rounds(database)
                view = say(channel, "GetLiveView", incident_id=incident)
                alive = ids_of(view) if edges else {node.id for node in view.nodes}
                return alive == survivors(session)

            assert agrees()
            for no, step in enumerate(steps):
                if step and isinstance(step[0], list):
                    messages = [
                        {"source_id": "s", "observation_id": f"{no} {index}", "eliminated": ids}
                        for index, ids in enumerate(step)
                    ]
                    session("eliminate_batch", messages=Json(messages))
                else:
                    session.eliminate(*[one for one in step if isinstance(one, str)])
                assert agrees()
            assert session("verify")["ok"]
            assert status(connection)["n_pending"] == 0

        agree()


def test_a_session_of_its_own_is_an_incident(database: str, connection: Connection) -> None:
    with mirrored(database, connection) as channel:
        session = Session(connection, "abc")
        session.eliminate("a", source_id="tool://df", observation_id="df -h")
        session.eliminate("a", "nobody")
        rounds(database)
        view = say(channel, "GetLiveView", incident_id=str(session.id))
        assert {node.id for node in view.nodes} == {"b", "c"}
        assert [(seq, state) for _, seq, state, _, _ in outbox(connection)] == [
            (1, "delivered"),
            (2, "delivered"),
        ], "what eliminates nothing is not told"
    query = "select source_id, trigger, actor from cmbs.incident_tombstone"
    assert connection.execute(query).fetchall() == [("tool://df", "df -h", "api")]


def test_sessions_from_before_are_not_mirrored(database: str, connection: Connection) -> None:
    before = Session(connection, "abc")
    with mirrored(database, connection):
        before.eliminate("a")
        call(connection, "set_mirror", endpoint=None)
        after = Session(connection, "abc")
        after.eliminate("a")
        rounds(database)
    assert outbox(connection) == []
    query = "select bool_or(mirrored) from cmbs.session"
    assert connection.execute(query).fetchone() == (False,)


def test_what_a_tee_refuses_holds_what_follows(database: str, connection: Connection) -> None:
    with mirrored(database, connection) as channel:
        strange, other = Session(connection, ["a", "strange"]), Session(connection, "ab")
        strange.eliminate("strange")
        other.eliminate("b")
        rounds(database)
        told = {(session, seq): (state, why) for session, seq, state, _, why in outbox(connection)}
        state, why = told[strange.id, 1]
        assert state == "dead"
        assert why.startswith("INVALID_ARGUMENT: node_ids must be nodes")
        assert "strange" in why
        assert told[strange.id, 2][0] == "pending"
        assert told[other.id, 2][0] == "delivered"
        found = status(connection)
        assert (found["n_pending"], found["n_dead"], found["n_sessions"]) == (1, 1, 1)
        assert found["lag_seconds"] > 0
        # Its cause is mended, and all of it is told again.
        say(channel, "MergeHypothesis", delta(["strange"]))
        assert call(connection, "retry_mirror") == {"n_sessions": 1, "n_messages": 2}
        rounds(database)
        view = say(channel, "GetLiveView", incident_id=str(strange.id))
        assert {node.id for node in view.nodes} == {"a"}
        assert status(connection)["n_dead"] == 0


def test_a_tee_that_lost_everything_is_told_again(database: str, connection: Connection) -> None:
    session = None
    for _ in range(2):
        tee = OlderTee()
        tee.graph.nodes.extend(delta("abc").nodes)
        with older(tee) as address:
            call(connection, "set_mirror", endpoint=address)
            if session is None:
                session = Session(connection, "abc")
                session.eliminate("a")
                rounds(database)
            else:
                session.eliminate("b")
                rounds(database)
                (*_, last) = outbox(connection)
                assert last[2] == "dead"
                assert last[4] == "NOT_FOUND: incident not found"
                call(connection, "retry_mirror", session_id=session.id)
                rounds(database)
            assert tee.incidents[str(session.id)][0] == {*"abc"} - survivors(session)


def test_an_outage_is_survived(database: str, connection: Connection) -> None:
    call(connection, "set_mirror", endpoint="127.0.0.1:1")
    sessions = [Session(connection, "abc") for _ in range(3)]
    for session in sessions:
        session.eliminate("a")
    with pytest.raises(TeeAway, match="UNAVAILABLE"):
        rounds(database)
    assert {state for _, _, state, _, _ in outbox(connection)} == {"pending"}
    for later in ("1 hour", "1 day", "9 days"):
        shift(connection, later)
        with pytest.raises(TeeAway, match="UNAVAILABLE"):
            rounds(database)
    assert status(connection)["n_retries"] >= 6
    assert status(connection)["lag_seconds"] > 9 * 86400
    shift(connection, "10 days")
    tee = OlderTee()
    tee.graph.nodes.extend(delta("abc").nodes)
    with older(tee) as address:
        call(connection, "set_mirror", endpoint=address)
        rounds(database)
    assert {state for _, _, state, _, _ in outbox(connection)} == {"delivered"}
    assert [tee.incidents[str(one.id)][0] for one in sessions] == [{"a"}] * 3


def test_two_processes_tell_each_session_in_order(database: str, connection: Connection) -> None:
    told: list[tuple[str, str]] = []

    class Recording(OlderTee):
        def answer(self, name: str, request: Any, context: Any) -> Any:
            said = request.provenance.trigger if name == "MergeNodeTombstones" else "created"
            with self.lock:
                told.append((request.incident_id, said))
            return super().answer(name, request, context)

    tee = Recording()
    many = [f"n{no}" for no in range(45)]
    tee.graph.nodes.extend(delta(many).nodes)
    with older(tee) as address:
        call(connection, "set_mirror", endpoint=address)
        sessions = [Session(connection, many) for _ in range(4)]
        for no in range(45):
            for session in sessions:
                session.eliminate(f"n{no}", observation_id=f"{no:02d}")
        threads = [threading.Thread(target=rounds, args=[database]) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        rounds(database)
    for session in sessions:
        mine = [said for incident, said in told if incident == str(session.id)]
        assert mine == ["created", *(f"{no:02d}" for no in range(45))]


def test_the_server_tells_by_itself(database: str, connection: Connection) -> None:
    with mirrored(database, connection) as channel, web.serving(database, upkeep=0.02):
        session = Session(connection, "abc")
        session.eliminate("a")
        until(lambda: status(connection)["n_pending"] == 0)
        view = say(channel, "GetLiveView", incident_id=str(session.id))
        assert {node.id for node in view.nodes} == {"b", "c"}


@contextlib.contextmanager
def process(database: str, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    """A command over the database, in the way that the server has; it has said that it runs."""
    url = make_conninfo(database, user="cmbs_server")
    command = [sys.executable, "-m", "cmbs", "tee", *arguments, "--database-url", url]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout is not None
            assert running.stdout.readline()
            yield running
        finally:
            running.kill()


@pytest.mark.nightly
@pytest.mark.slow("the Tee and the mirror are killed again and again")
def test_kill_either_side(database: str, connection: Connection, tmp_path: Path) -> None:
    """With kill -9, in the midst of what they do, again and again; nothing is lost."""
    many = [f"n{no:03d}" for no in range(300)]
    port = str(free_port())
    with serving(database) as address, grpc.insecure_channel(address) as channel:
        say(channel, "MergeHypothesis", delta(many))
    call(connection, "set_mirror", endpoint=f"127.0.0.1:{port}")
    sessions = [Session(connection, many) for _ in range(3)]
    over = threading.Event()
    chance = random.Random(7)

    def write() -> None:
        with psycopg.connect(database, autocommit=True) as mine:
            for one in many[:250]:
                for session in sessions:
                    eliminated = {"session_id": session.id, "source_id": "s", "eliminated": [one]}
                    call(mine, "eliminate", observation_id=one, **eliminated)
                if over.wait(0.01):
                    return

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for no in range(size(1, 5)):
            with (
                process(database, "serve", "--no-auth", "--port", port),
                process(database, "mirror", "run"),
            ):
                before = _delivered(connection)
                until(lambda before=before: _delivered(connection) > before, 60)
                time.sleep(chance.random() / 10)
            # Who was killed had taken sessions for half a minute.
            shift(connection, f"{no + 1} minutes")
    finally:
        writer.join()
    shift(connection, "9 minutes")
    with (
        process(database, "serve", "--no-auth", "--port", port),
        process(database, "mirror", "run") as worker,
    ):
        until(lambda: status(connection)["n_pending"] == 0, 60)
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            for session in sessions:
                view = say(channel, "GetLiveView", incident_id=str(session.id))
                assert {node.id for node in view.nodes} == {*many[250:]} == survivors(session)
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(30) == 0
    assert status(connection)["n_dead"] == 0


def _delivered(connection: Connection) -> int:
    query = "select count(*) from cmbs.tee_message where state = 'delivered'"
    row = connection.execute(query).fetchone()
    assert row is not None
    return int(row[0])


def test_an_answer_that_is_no_message_is_not_taken_for_one(
    database: str, connection: Connection
) -> None:
    tee = OlderTee()
    tee.graph.nodes.extend(delta("ab").nodes)
    with older(tee, as_sent=b"\xff\xff") as address:
        call(connection, "set_mirror", endpoint=address)
        Session(connection, "ab").eliminate("a")
        rounds(database)
    first, second = outbox(connection)
    assert first[2:] == ("pending", 1, "the answer to CreateIncident is no message of tee.proto")
    assert second[2:] == ("pending", 0, None)


def test_a_slow_session_keeps_no_other_waiting(database: str, connection: Connection) -> None:
    released = threading.Event()
    slow: list[str] = []

    class Slow(OlderTee):
        def answer(self, name: str, request: Any, context: Any) -> Any:
            if request.incident_id in slow:
                released.wait(30)
            return super().answer(name, request, context)

    tee = Slow()
    tee.graph.nodes.extend(delta("ab").nodes)
    with older(tee) as address:
        call(connection, "set_mirror", endpoint=address)
        first = Session(connection, "ab")
        slow.append(str(first.id))
        others = [Session(connection, "ab") for _ in range(3)]
        telling = threading.Thread(target=rounds, args=[database])
        telling.start()
        try:
            for no, name in enumerate("ab"):
                for session in others:
                    session.eliminate(name, observation_id=str(no))
                until(
                    lambda no=no: all(
                        len(tee.incidents.get(str(one.id), [set()])[0]) > no for one in others
                    )
                )
        finally:
            released.set()
            telling.join()
    assert len(tee.incidents) == 4


def test_a_session_that_cannot_be_told_of_is_no_reason_to_wait(
    database: str, connection: Connection
) -> None:
    poisoned: list[str] = []

    class Poisoned(OlderTee):
        def answer(self, name: str, request: Any, context: Any) -> Any:
            if request.incident_id in poisoned:
                context.abort(grpc.StatusCode.INTERNAL, "no")
            return super().answer(name, request, context)

    tee = Poisoned()
    tee.graph.nodes.extend(delta("ab").nodes)
    with older(tee) as address:
        call(connection, "set_mirror", endpoint=address)
        first, second = Session(connection, "ab"), Session(connection, "ab")
        poisoned.append(str(first.id))
        second.eliminate("a")
        rounds(database)
        told = {(one, seq): (state, why) for one, seq, state, _, why in outbox(connection)}
        assert told[first.id, 1] == ("pending", "INTERNAL: no")
        assert told[second.id, 2] == ("delivered", None)


def test_what_is_too_large_for_a_tee_is_refused(database: str, connection: Connection) -> None:
    """Its limit is that of gRPC by default, 4 MiB."""
    many = [f"{no:06d}" + "x" * 500 for no in range(9000)]
    tee = OlderTee()
    with older(tee) as address:
        call(connection, "set_mirror", endpoint=address)
        Session(connection, many)
        rounds(database)
    ((_, _, state, _, why),) = outbox(connection)
    assert state == "dead"
    assert "is too large" in why
