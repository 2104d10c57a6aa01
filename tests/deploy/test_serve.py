"""`cmbs serve` as a process: how it starts, refuses to, ends, and what it leaves behind."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from tests.support.beliefs import Connection, Session
from tests.support.served import COMMAND, PATIENCE, Served, running
from tests.support.servers import ROOT, reachable_folder, until
from tests.support.sizes import IS_NIGHTLY
from tests.support.web import Client, bearer, refusal, token_of

needs_death_signal = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux tells a process that its parent died"
)
READY = r"CMBS is ready: {0} \(documentation: {0}/schema\); this machine needs no token\n"
OPEN = r"CMBS is ready: {0} \(documentation: {0}/schema\); nobody needs a token \(--no-auth\)\n"


@pytest.fixture
def folder() -> Iterator[Path]:
    with reachable_folder() as folder:
        yield folder


@pytest.fixture(scope="module")
def kept() -> Iterator[Path]:
    """One database for the tests that only want to start on one: making it takes the time."""
    with reachable_folder() as folder:
        yield folder


@pytest.fixture
def server_url(database: str) -> str:
    """The address of a migrated database, as the server's login role."""
    return make_conninfo(database, user="cmbs_server")


def fresh(kept: Path, *arguments: str) -> Served:
    for name in ("out", "err"):
        (kept / name).unlink(missing_ok=True)
    return Served(kept, arguments)


def failed(
    *arguments: str, status: int = 5, port: str | None = "0", lines: int = 1, **env: str
) -> "subprocess.CompletedProcess[str]":
    """A start that must fail, with one sentence and nothing else."""
    kept = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    done = subprocess.run(
        [*COMMAND, *(["--port", port] if port else []), *arguments],
        **{"cwd": ROOT, "env": {**kept, **env}, "stdin": subprocess.DEVNULL},
        **{"capture_output": True, "text": True, "check": False, "timeout": PATIENCE},
    )
    assert (done.returncode, done.stdout) == (status, ""), done
    assert "Traceback" not in done.stderr
    assert re.search(r"(^|\n)cmbs( serve)?: [^\n]+\n$", done.stderr), done.stderr
    assert done.stderr.count("\n") == lines or done.stderr.startswith("usage: cmbs serve")
    return done


@pytest.mark.slow("a server with two workers")
@pytest.mark.parametrize(
    ("workers", "number"),
    [
        pytest.param("1", signal.SIGINT, marks=pytest.mark.nightly),
        ("2", signal.SIGTERM),
        pytest.param("1", signal.SIGTERM, marks=pytest.mark.nightly),
        pytest.param("2", signal.SIGINT, marks=pytest.mark.nightly),
    ],
)
def test_one_line_and_a_clean_end(kept: Path, workers: str, number: signal.Signals) -> None:
    with running(fresh(kept, "--workers", workers)) as served:
        until(lambda: served.out.endswith("\n"))
        assert re.fullmatch(READY.format(re.escape(served.address)), served.out)
        assert "CMBS" in httpx.get(f"{served.address}/schema").text
        assert len(served.workers()) == (0 if workers == "1" else 2)
        assert served.end(number) == 0
        check_nothing_is_left(served)
        lines = [json.loads(line) for line in served.err.splitlines()]
        told = Counter(line["event"] for line in lines)
        n_processes = int(workers)
        assert told.keys() == {"start", "ready", "request", "stop"}
        assert [told[one] for one in ("start", "ready", "stop")] == [n_processes] * 3
        assert len({line["pid"] for line in lines if "pid" in line}) == n_processes


def check_nothing_is_left(served: Served) -> None:
    served.await_nothing()
    assert not (served.data_dir / "socket").exists()
    assert not (served.data_dir / "postgres" / "postmaster.pid").exists()
    assert "database system is shut down" in (served.data_dir / "postgres.log").read_text()


def test_ctrl_c_reaches_every_process(kept: Path) -> None:
    with running(fresh(kept, "--workers", "2")) as served:
        # Python tells of a worker that is interrupted before it serves; its ids tell them apart.
        workers = set[str]()

        def are_up() -> bool:
            answer = httpx.get(f"{served.address}/readyz")
            workers.add(answer.headers["x-request-id"][:24])
            return len(workers) == 2

        until(are_up, PATIENCE)
        # What a terminal does: all of them get it, and the database is not one of them.
        for pid in served.own_pids():
            os.kill(pid, signal.SIGINT)
        assert served.process is not None
        assert served.process.wait(PATIENCE) == 0
        check_nothing_is_left(served)
        assert "Traceback" not in served.err


@pytest.mark.nightly
@pytest.mark.parametrize("workers", [pytest.param("1", marks=pytest.mark.nightly), "2"])
def test_who_waits_for_an_answer_gets_it(
    folder: Path, server_url: str, db: Connection, workers: str
) -> None:
    arguments = ("--workers", workers, "--database-url", server_url, "--no-auth")
    session = Session(db)
    with running(Served(folder, arguments)) as served, ThreadPoolExecutor() as pool:
        path = f"{served.address}/v1/sessions/{session.id}/eliminate"
        message = {"source_id": "s", "observation_id": "o", "eliminated": ["a"]}
        with psycopg.connect(db.info.dsn) as holder:
            lock = "select 1 from cmbs_store.session where session_id = %s for update"
            holder.execute(lock, [session.id])
            answer = pool.submit(httpx.post, path, json=message, timeout=PATIENCE)
            until(lambda: waits_for_a_lock(db))
            assert served.process is not None
            served.process.send_signal(signal.SIGTERM)
            until(lambda: not accepts(served.port) or workers == "2")
            assert served.is_running()
            holder.rollback()
        acknowledged = answer.result(PATIENCE)
        assert served.process.wait(PATIENCE) == 0
    assert acknowledged.status_code == 200
    assert session.last_event()["event_id"] == acknowledged.json()["audit_event_id"]
    assert session.is_whole()


def waits_for_a_lock(db: Connection) -> bool:
    query = (
        "select 1 from pg_stat_activity where usename = 'cmbs_server' and wait_event_type = 'Lock'"
    )
    return db.execute(query).fetchone() is not None


def accepts(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.nightly
def test_a_second_signal_waits_for_nobody(folder: Path, server_url: str, db: Connection) -> None:
    session = Session(db)
    arguments = ("--database-url", server_url, "--no-auth")
    with running(Served(folder, arguments)) as served, ThreadPoolExecutor() as pool:
        path = f"{served.address}/v1/sessions/{session.id}/terminate"
        with psycopg.connect(db.info.dsn) as holder:
            lock = "select 1 from cmbs_store.session where session_id = %s for update"
            holder.execute(lock, [session.id])
            answer = pool.submit(httpx.post, path, timeout=PATIENCE)
            until(lambda: waits_for_a_lock(db))
            assert served.process is not None
            served.process.send_signal(signal.SIGINT)
            until(lambda: not accepts(served.port))
            assert served.is_running()
            assert served.end(signal.SIGINT) in (0, -signal.SIGINT)
            holder.rollback()
        # Nobody knows what became of the message; the sender has to repeat it.
        unanswered = answer.result(PATIENCE)
        assert refusal(unanswered) == (503, "UNAVAILABLE", None)
        assert unanswered.headers["retry-after"]


@pytest.mark.nightly
@pytest.mark.slow("three starts are ended before they are done, and a fourth is not")
@pytest.mark.parametrize(
    "number", [pytest.param(signal.SIGINT, marks=pytest.mark.nightly), signal.SIGTERM]
)
def test_a_signal_during_the_start(folder: Path, number: signal.Signals) -> None:
    moments = {
        "postgres is made": lambda: any(served.data_dir.glob("initdb-*")),
        "postgres starts": lambda: served.postgres_pids(),
        "the schema comes": lambda: served.has_postmaster_but(0),
    }
    for moment, has_come in moments.items():
        served = Served(folder)
        served.start()
        until(has_come)
        assert served.end(number) == 0, moment
        assert served.pids() == [], moment
        assert "Traceback" not in served.err, served.err
        assert "ready" not in served.out
    with running(Served(folder)) as served:
        assert served.end() == 0


@pytest.mark.nightly
@needs_death_signal
@pytest.mark.slow("a server with two workers is started, and both are killed")
def test_a_killed_worker_is_replaced(kept: Path) -> None:
    with running(fresh(kept, "--workers", "2")) as served:
        first = served.workers()
        for pid in first:
            os.kill(pid, signal.SIGKILL)
        until(lambda: len(set(served.workers()) - set(first)) == 2, PATIENCE)
        until(served.is_ready, PATIENCE)
        assert served.end() == 0
        check_nothing_is_left(served)


@pytest.mark.nightly
@needs_death_signal
@pytest.mark.slow("a server with two workers is started and killed")
def test_a_killed_supervisor_takes_all_with_it(kept: Path) -> None:
    moments = ("workers are there", "workers start", "it serves")
    for moment in moments if IS_NIGHTLY else moments[1:]:
        served = fresh(kept, "--workers", "2")
        served.start()
        if moment == "it serves":
            served.await_ready()
        else:
            n_wanted = 1 if moment == "workers start" else 2
            until(lambda served=served, n=n_wanted: len(served.workers()) >= n, PATIENCE)
        assert served.end(signal.SIGKILL) == -signal.SIGKILL
        served.await_nothing()


@pytest.mark.nightly
@needs_death_signal
def test_it_outlives_the_shell_that_started_it(kept: Path) -> None:
    served = fresh(kept)
    served.start("sh", "-c", '"$@" & wait', "sh")
    with ended(served):
        until(served.is_ready, PATIENCE)
        assert served.end(signal.SIGKILL) == -signal.SIGKILL
        with pytest.raises(AssertionError):
            until(lambda: served.main_pid() is None, 1.5)
        assert served.is_ready()


@needs_death_signal
@pytest.mark.parametrize(
    "what", [pytest.param("", marks=pytest.mark.nightly), "2>&1"], ids=["output", "both"]
)
def test_a_reader_of_one_line(kept: Path, what: str) -> None:
    served = fresh(kept)
    served.start("sh", "-c", f'"$@" {what} | head -n 1', "sh")
    with ended(served):
        until(served.is_ready, PATIENCE)
        until(lambda: served.out.endswith("\n"))
        if what:
            assert json.loads(served.out)["event"] == "start"
        else:
            assert re.fullmatch(READY.format(re.escape(served.address)), served.out)
        for _ in range(3):
            assert httpx.get(f"{served.address}/healthz").status_code == 200


@pytest.mark.nightly
@needs_death_signal
@pytest.mark.parametrize(
    "to",
    [
        ">&- 2>&-",
        pytest.param(">/dev/full", marks=pytest.mark.nightly),
        pytest.param("| true", marks=pytest.mark.nightly),
        pytest.param(">&-", marks=pytest.mark.nightly),
    ],
)
def test_nobody_reads_the_line(kept: Path, to: str) -> None:
    served = fresh(kept)
    served.start("sh", "-c", f'"$@" {to}', "sh")
    with ended(served):
        until(served.is_ready, PATIENCE)
        assert httpx.get(f"{served.address}/healthz").status_code == 200


@contextlib.contextmanager
def ended(served: Served) -> Iterator[None]:
    """In the end told to stop, cleanly, although it is no child of ours."""
    try:
        yield
    finally:
        if pid := served.main_pid():
            os.kill(pid, signal.SIGTERM)
        served.await_nothing()
        assert served.process is not None
        served.process.wait(PATIENCE)
    check_nothing_is_left(served)


def test_a_port_that_is_taken(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = failed("--data-dir", str(folder / "data"), port=str(port))
    assert f"port {port} on 127.0.0.1 cannot be used" in done.stderr
    assert not (folder / "data").exists(), "the port comes first, because it is quick"


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        (["--host", "no.such.host.invalid"], 5, "the host no.such.host.invalid is not known"),
        (["--host", "192.0.2.1"], 5, "on 192.0.2.1 cannot be used"),
        (["--port", "99999"], 2, "--port: must be a whole number from 0 to 65535"),
        (["--port", "-1"], 2, "--port: must be a whole number from 0 to 65535"),
        (["--port", "http"], 2, "--port: must be a whole number from 0 to 65535"),
        (["--workers", "0"], 2, "--workers: must be a whole number from 1 to 64"),
        (["--workers", "-2"], 2, "--workers: must be a whole number from 1 to 64"),
        (["--workers", "1000"], 2, "--workers: must be a whole number from 1 to 64"),
        (["--workers", "two"], 2, "--workers: must be a whole number from 1 to 64"),
        (["--database-url", "postgresql://x@127.0.0.1:1/x"], 5, "The database cannot be reached"),
        (["--database-url", ""], 2, "--database-url: must not be empty"),
        (["--database-url", "x", "--data-dir", "y"], 2, "not allowed with"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_refused(tmp_path: Path, arguments: list[str], status: int, told: str) -> None:
    there = tmp_path / "data"
    assert told in failed(*arguments, status=status, CMBS_DATA_DIR=str(there)).stderr
    assert not there.exists()


@pytest.mark.nightly
def test_databases_that_it_cannot_serve(database: str, server_url: str, db: Connection) -> None:
    db.execute("drop role if exists serve_stranger")
    db.execute("create role serve_stranger login")
    try:
        done = failed("--database-url", make_conninfo(database, user="serve_stranger"))
        assert "grant it cmbs_auditor to read, or cmbs_server to serve" in done.stderr
    finally:
        db.execute("drop role serve_stranger")
    done = failed("--database-url", make_conninfo(database, dbname="postgres"))
    assert "at revision none" in done.stderr
    assert "run cmbs migrate" in done.stderr
    db.execute("update cmbs_store.revision set version_num = 'older'")
    done = failed("--database-url", server_url)
    assert "of revision older, which this CMBS does not know: install" in done.stderr
    assert "of revision older" in failed(DATABASE_URL=server_url).stderr


@pytest.mark.nightly
def test_a_login_of_its_own(folder: Path, database: str, db: Connection) -> None:
    db.execute("drop role if exists serve_agent")
    db.execute("create role serve_agent login in role cmbs_agent")
    try:
        url = make_conninfo(database, user="serve_agent")
        refused = failed("--no-auth", status=4, DATABASE_URL=url)
        assert "without tokens everybody would be the server's login" in refused.stderr
        token = token_of(database, "ann", "agent", "policy", tenant="default")
        # The environment names the database, and what it may not do is refused one by one.
        with running(Served(folder, env={"DATABASE_URL": url})) as served:
            assert not served.data_dir.exists()
            with Client(base_url=served.address, headers=bearer(token)) as client:
                session = client.declare()
                client.post(f"{session}/obligations", json={"obligation_id": "o"} | AT_LEAST)
                waived = client.post(f"{session}/obligations/o/waive", json={"reason": "r"})
                assert refusal(waived)[:2] == (403, "FORBIDDEN")
                (first, *_) = client.get(f"{session}/audit").json()["events"]
                assert first["actor"] == "ann"
            assert served.end() == 0
    finally:
        db.execute("drop owned by serve_agent")
        db.execute("drop role serve_agent")


AT_LEAST = {"min_total_eliminations": 1}


def test_ipv6(folder: Path, server_url: str) -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError as error:
        pytest.skip(f"no address ::1: {error}")
    arguments = ("--host", "::1", "--database-url", server_url, "--no-auth")
    served = Served(folder, arguments, host="[::1]")
    with running(served):
        until(lambda: served.out.endswith("\n"))
        assert re.fullmatch(OPEN.format(re.escape(served.address)), served.out)
        assert served.end() == 0


def test_help_names_everything() -> None:
    done = subprocess.run(
        [*COMMAND, "--help"], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    for told in (
        "--host",
        "--port",
        "--workers",
        "--data-dir",
        "--database-url",
        "DATABASE_URL",
        "--tls-cert",
        "--tls-key",
        "--rate-limit",
        "--no-auth",
    ):
        assert told in done.stdout
    assert done.stdout.count("default") >= 5
    assert done.stderr == ""
