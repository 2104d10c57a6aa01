"""The embedded PostgreSQL when processes are killed, and when two want the same data."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from cmbs.deploy import cluster, embedded
from cmbs.deploy.embedded import EmbeddedError, Server
from tests.support.servers import OWNER, ROOT, ask, postmaster_of, reachable_folder, until

needs_death_signal = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux tells a process that its parent died"
)


@pytest.fixture
def place() -> Iterator[Path]:
    with reachable_folder() as folder:
        yield folder


def alive(pid: int) -> bool:
    # A zombie, which it may be nobody's task to reap, has no command line any more.
    return bool(dict(cluster._commands()).get(pid))


def remember(conninfo: str) -> None:
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute("create table kept as select 42 as answer")


def remembers(server: Server) -> bool:
    return ask(server, "select answer from kept") == "42"


@contextlib.contextmanager
def another_owner(data_dir: Path) -> "Iterator[tuple[subprocess.Popen[str], str]]":
    """Another process that runs the server, and how to connect to it."""
    command = [sys.executable, "-c", OWNER, str(data_dir)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout is not None
        conninfo = process.stdout.readline().strip()
        assert conninfo.startswith("host=")
        yield process, conninfo


@contextlib.contextmanager
def busy(conninfo: str) -> Iterator[int]:
    """A backend that computes and looks at nothing else, least of all at its postmaster."""
    with psycopg.connect(conninfo, autocommit=True) as connection:
        pid = connection.info.backend_pid

        def compute() -> None:
            with contextlib.suppress(psycopg.OperationalError):
                connection.execute("select count(*) from generate_series(1, 1e12)")

        thread = threading.Thread(target=compute)
        thread.start()
        with psycopg.connect(conninfo, autocommit=True) as watcher:
            query = "select 1 from pg_stat_activity where pid = %s and state = 'active'"
            until(lambda: watcher.execute(query, [pid]).fetchone())
        yield pid
        until(lambda: not thread.is_alive())


def test_a_second_process_joins_or_refuses(place: Path) -> None:
    with another_owner(place / "data") as (process, conninfo):
        joined = embedded.start(place / "data")
        assert (joined.owned, joined.conninfo()) == (False, conninfo)
        assert (joined.bindir / "postgres").exists()
        with pytest.raises(EmbeddedError, match=f"^process {process.pid} already runs PostgreSQL"):
            embedded.start(place / "data", adopt=False)
        joined.stop()
        assert ask(joined, "select 1") == "1"
    with joined:
        joined.ensure_running()
        assert joined.owned, "the owner has left"
        assert ask(joined, "select 1") == "1"


@needs_death_signal
@pytest.mark.parametrize(
    "number", [pytest.param(signal.SIGTERM, marks=pytest.mark.nightly), signal.SIGKILL]
)
def test_the_server_ends_with_its_owner(place: Path, number: signal.Signals) -> None:
    with another_owner(place / "data") as (process, conninfo):
        remember(conninfo)
        postmaster = postmaster_of(place / "data")
        process.send_signal(number)
        process.wait(30)
        until(lambda: not alive(postmaster))
    with embedded.start(place / "data") as server:
        assert remembers(server)


def test_start_while_the_last_owners_server_is_still_there(place: Path) -> None:
    with another_owner(place / "data") as (process, conninfo):
        remember(conninfo)
        with busy(conninfo):
            process.kill()
            process.wait(30)
            with embedded.start(place / "data") as server:
                assert server.owned
                assert remembers(server)


def test_owner_and_postmaster_killed_under_a_busy_backend(place: Path) -> None:
    with another_owner(place / "data") as (process, conninfo):
        remember(conninfo)
        with busy(conninfo) as backend:
            process.kill()
            os.kill(postmaster_of(place / "data"), signal.SIGKILL)
            process.wait(30)
            with embedded.start(place / "data") as server:
                assert remembers(server)
                assert not alive(backend)


def test_a_living_owner_recovers_a_killed_postmaster(place: Path) -> None:
    with embedded.start(place / "data") as server:
        remember(server.conninfo())
        with busy(server.conninfo()):
            os.kill(first := postmaster_of(place / "data"), signal.SIGKILL)
            until(lambda: not alive(first))
            server.ensure_running()
        assert remembers(server)
        assert postmaster_of(place / "data") != first


def test_to_be_let_in_is_no_answer(place: Path) -> None:
    """A postmaster that is dying has its queue for a moment longer, and answers nobody."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(place / cluster.SOCKET))
        listening.listen()
        thread = threading.Thread(target=lambda: listening.accept()[0].close())
        thread.start()
        assert not embedded._answers(place)
        thread.join()
        assert embedded._answers(place), "somebody listens, and is only busy"
    assert not embedded._answers(place)


@pytest.mark.nightly
def test_the_thread_that_started_it_may_end(place: Path) -> None:
    started: list[Server] = []
    thread = threading.Thread(
        target=lambda: started.append(embedded.start(place / "data", durable=False))
    )
    thread.start()
    thread.join()
    with started[0] as server:
        postmaster = postmaster_of(place / "data")
        assert ask(server, "select pg_sleep(0.3)::text") == ""
        assert alive(postmaster)


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_child_leaves_the_server_alone(place: Path) -> None:
    with embedded.start(place / "data", durable=False) as server:
        child = os.fork()
        if child == 0:
            server.stop()
            os._exit(0)
        os.waitpid(child, 0)
        assert ask(server, "select 1") == "1"


@pytest.mark.nightly
def test_a_recorded_pid_that_now_is_another_program(place: Path) -> None:
    with embedded.start(place / "data", durable=False) as server:
        kept = [
            place / "data/postgres/postmaster.pid",
            server.socket_dir / f"{cluster.SOCKET}.lock",
        ]
        stale = [path.read_text().split("\n", 1)[1] for path in kept]
    server.socket_dir.mkdir(mode=0o700)
    for path, lines in zip(kept, stale, strict=True):
        path.write_text(f"{os.getpid()}\n{lines}")
    with embedded.start(place / "data", durable=False) as server:
        assert ask(server, "select 1") == "1"
