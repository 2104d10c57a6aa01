"""The command line, as a process: what it prints and the status it ends with."""

import contextlib
import json
import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg.types.json import Json

from cmbs.cli.commands import COMMANDS
from cmbs.database import calls
from cmbs.deploy import cluster
from tests.support.commands import run_here
from tests.support.servers import ROOT, postmaster_of, reachable_folder, until

COMMAND = [sys.executable, "-P", "-m", "cmbs"]
ONTOLOGY = {
    "hypothesis_space_id": "cli",
    "hypothesis_version": "1",
    "causal_graph_ref": "graph",
    "causal_graph_version": "1",
}
READY = re.compile(
    r"CMBS is ready: (?P<api>http://127\.0\.0\.1:\d+) \(documentation: (?P=api)/schema\)"
    r"; this machine needs no token\n"
)
NOBODY = "00000000-0000-0000-0000-000000000000"


@pytest.fixture(scope="module")
def data_dir() -> Iterator[Path]:
    """Kept over the tests of this file: making one is what takes the time."""
    with reachable_folder() as folder:
        yield folder / "data"


def environment(data_dir: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    return {**kept, "CMBS_DATA_DIR": str(data_dir), **more}


def run(
    data_dir: Path, *arguments: str, url: str | None = None, **env: str
) -> subprocess.CompletedProcess[str]:
    given = ["--database-url", url] if url else []
    if arguments[:1] == ("serve",):
        given += ["--port", "0"]
    return subprocess.run(
        [*COMMAND, *arguments, *given],
        cwd=ROOT,
        env=environment(data_dir, **env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@contextlib.contextmanager
def serving(data_dir: Path) -> "Iterator[subprocess.Popen[str]]":
    with subprocess.Popen(
        [*COMMAND, "serve", "--port", "0"],
        cwd=ROOT,
        env=environment(data_dir),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert READY.fullmatch(line), line or process.stderr
            yield process
        finally:
            process.terminate()


@pytest.mark.slow("a server with a new database")
@pytest.mark.parametrize(
    "number", [pytest.param(signal.SIGTERM, marks=pytest.mark.nightly), signal.SIGINT]
)
def test_serve_ends_cleanly(data_dir: Path, number: signal.Signals) -> None:
    with serving(data_dir) as process:
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (0, "")
    assert [json.loads(line)["event"] for line in err.splitlines()] == ["start", "ready", "stop"]
    assert cluster.pid_file(data_dir / "postgres") is None
    assert "database system is shut down" in (data_dir / "postgres.log").read_text()


def test_one_serves_and_short_commands_join(data_dir: Path) -> None:
    with serving(data_dir) as process:
        second = run(data_dir, "serve")
        assert second.returncode == 5
        assert second.stderr == (
            f"cmbs: process {process.pid} already runs PostgreSQL on {data_dir}; "
            "stop it or choose another data directory\n"
        )
        assert run(data_dir, "status").returncode == 0
        assert process.poll() is None
        assert cluster.pid_file(data_dir / "postgres"), "it was not the short command's to stop"


@pytest.mark.nightly
@pytest.mark.slow("a server with a new database")
def test_a_command_waits_for_the_schema_of_a_server_that_just_started() -> None:
    with reachable_folder() as folder:
        command = [*COMMAND, "serve", "--port", "0", "--data-dir", str(folder / "data")]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as process:
            # Ready to connect comes before ready to use.
            until(lambda: is_ready(folder / "data"))
            done = run(folder / "data", "status")
            process.terminate()
        assert (done.returncode, done.stderr) == (0, "")


def is_ready(data_dir: Path) -> bool:
    written = cluster.pid_file(data_dir / "postgres")
    return written is not None and written[2]


@pytest.mark.nightly
def test_serve_recovers_its_killed_postgres(data_dir: Path) -> None:
    with serving(data_dir) as process:
        first = postmaster_of(data_dir)
        os.kill(first, signal.SIGKILL)
        until(lambda: run(data_dir, "status").returncode == 0 and postmaster_of(data_dir) != first)
        assert process.poll() is None


def test_status_on_a_new_database(data_dir: Path) -> None:
    done = run(data_dir, "status")
    assert done.returncode == 0
    shape = r"database  cmbs on .* as postgres, PostgreSQL \d\d\.\d+( \(.+ is out: .+\))?\n"
    shape += r"version   CMBS \S+, schema revision \S+\n"
    shape += r"address   postgresql://postgres@/cmbs\?host=\S+\n"
    shape += r"sessions  0 open, 0 stuck in an obligation, 0 terminated\nevents    0\n"
    shape += r"callers   0 principals, 0 valid tokens\n"
    assert re.fullmatch(shape, done.stdout), done.stdout


@pytest.mark.nightly
def test_migrate_again_changes_nothing(data_dir: Path) -> None:
    first, second = run(data_dir, "migrate"), run(data_dir, "migrate")
    assert first.stdout == second.stdout
    assert first.stdout.startswith("the database is at revision ")


def test_sql_is_printed_without_a_database(data_dir: Path, tmp_path: Path) -> None:
    for arguments in (["migrate", "--sql"], ["roles", "--sql"]):
        done = run(tmp_path / "none", *arguments)
        assert (done.returncode, done.stderr) == (0, "")
        assert "cmbs_owner" in done.stdout
    assert not (tmp_path / "none").exists()


@pytest.mark.nightly
def test_psql_takes_arguments_and_passes_its_status_on(data_dir: Path) -> None:
    done = run(data_dir, "psql", "--", "-Atc", "select current_database()")
    assert (done.returncode, done.stdout) == (0, "cmbs\n")
    assert run(data_dir, "psql", "--", "-v", "ON_ERROR_STOP=1", "-c", "select x").returncode == 1


@pytest.mark.nightly
def test_verify_without_anything_to_check(data_dir: Path) -> None:
    run(data_dir, "migrate")
    done = run(data_dir, "verify", "--all")
    assert (done.returncode, done.stdout) == (1, "there is no session to check\n")
    done = run(data_dir, "verify", NOBODY)
    assert done.returncode == 2
    assert done.stdout.startswith(f"none    {NOBODY}  no such session\nchecked 1 session,")
    assert done.stdout.endswith(": 1 not there\n")


@pytest.fixture
def sessions(db: psycopg.Connection[Any]) -> list[str]:
    ids = [str(UUID(int=number)) for number in range(1, 6)]
    for session_id in ids:
        calls.call(
            db,
            "declare_session",
            session_id=session_id,
            ontology=Json(ONTOLOGY),
            hypotheses=["a", "b", "c"],
        )
    return ids


def test_verify_finds_every_chain_whole(data_dir: Path, database: str, sessions: list[str]) -> None:
    done = run(
        data_dir, "verify", "--all", "--jobs", str(min(2, os.cpu_count() or 1)), url=database
    )
    lines = done.stdout.splitlines()
    assert done.returncode == 0
    assert [line.split()[:4] for line in lines[:-1]] == [["ok", s, "1", "row"] for s in sessions]
    assert re.fullmatch(r"checked 5 sessions, 5 rows in \d+\.\d s: every chain is whole", lines[-1])
    assert run_here("verify", sessions[2], sessions[2], url=database).stdout.count("ok  ") == 1


def test_verify_names_the_broken_one(
    data_dir: Path, database: str, db: psycopg.Connection[Any], sessions: list[str]
) -> None:
    db.execute("alter table cmbs_store.audit_event disable trigger all")
    db.execute("update cmbs_store.audit_event set actor = 'x' where session_id = %s", [sessions[3]])
    done = run_here("verify", "--all", url=database)
    assert done.returncode == 1
    assert re.findall(r"^BROKEN  (\S+)  event 1: .+$", done.stdout, re.MULTILINE) == [sessions[3]]
    assert done.stdout.count("\nok  ") + done.stdout.startswith("ok  ") == 4
    assert run_here("verify", sessions[0], url=database).returncode == 0
    assert run_here("verify", sessions[3], url=database).returncode == 1


def test_verify_draws_a_bar_on_a_terminal(
    data_dir: Path, database: str, sessions: list[str]
) -> None:
    leader, follower = pty.openpty()
    try:
        done = subprocess.run(
            [*COMMAND, "verify", "--all", "--database-url", database],
            stdin=subprocess.DEVNULL,
            stdout=follower,
            stderr=follower,
            check=False,
            timeout=60,
        )
        shown = os.read(leader, 65536).decode()
    finally:
        os.close(leader)
        os.close(follower)
    assert done.returncode == 0
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown)
    assert re.search(r"━+ +\d+%  \d/5 sessions [\d,]+ rows/s \d:\d\d:\d\d left", plain), plain
    assert "ok  " not in shown
    assert "every chain is whole" in shown


@pytest.mark.parametrize("redirected", [">/dev/full", ">&-", "--json >/dev/full", "--json >&-"])
def test_an_answer_that_cannot_be_written_is_a_failure(
    database: str, sessions: list[str], redirected: str
) -> None:
    command = f"{sys.executable} -P -m cmbs sessions --database-url '{database}' {redirected}"
    done = subprocess.run(["sh", "-c", command], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 5
    assert re.fullmatch(r"cmbs: standard output (is closed|cannot be written).*\n", done.stderr)


def test_nothing_but_the_answer_is_on_standard_output(database: str) -> None:
    command = f"{sys.executable} -P -m cmbs sessions --json --database-url '{database}' 2>&-"
    done = subprocess.run(["sh", "-c", command], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


def test_letters_that_a_terminal_does_not_have_are_spelled_out(
    database: str, db: psycopg.Connection[Any]
) -> None:
    ontology = ONTOLOGY | {"hypothesis_space_id": "ä"}
    sent = {"session_id": NOBODY, "ontology": Json(ontology), "hypotheses": ["a"]}
    calls.call(db, "declare_session", **sent)
    done = run(ROOT, "sessions", url=database, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("  \\xe4\n")


def test_usage(subtests: pytest.Subtests) -> None:
    for arguments in (
        [],
        ["nonsense"],
        ["verify"],
        ["verify", "not-a-uuid"],
        ["verify", "--all", NOBODY],
        ["verify", "--all", "--jobs", "0"],
        ["status", "--data-dir", "x", "--database-url", "y"],
    ):
        with subtests.test(" ".join(arguments)):
            done = run_here(*arguments)
            assert (done.returncode, done.stdout) == (2, "")
            assert done.stderr.startswith("usage: cmbs")


def test_help_with_an_example(subtests: pytest.Subtests) -> None:
    for command in COMMANDS:
        with subtests.test(command):
            done = run_here(command, "--help")
            assert done.returncode == 0
            # Also of those commands whose actions have examples of their own.
            assert f"cmbs {command}" in " ".join(done.stdout.split()).partition("example: ")[2]


def test_a_command_as_a_process(tmp_path: Path) -> None:
    listed = run(tmp_path, "--help")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert re.findall(r"^  ([a-z][a-z-]+) {2,}[a-z]", listed.stdout, re.MULTILINE) == [*COMMANDS]
    assert run(tmp_path, "nonsense").returncode == 2


@pytest.mark.parametrize("url", ["postgresql://x@127.0.0.1:1/none", "nonsense"])
@pytest.mark.parametrize(
    "command",
    ["status", *(pytest.param(one, marks=pytest.mark.nightly) for one in ("serve", "migrate"))],
)
def test_a_database_that_cannot_be_reached(data_dir: Path, command: str, url: str) -> None:
    done = run(data_dir, command, url=url)
    assert done.returncode == 5
    assert re.fullmatch(r"cmbs: .+\n", done.stderr), done.stderr


@pytest.mark.nightly
def test_what_is_typed_goes_before_the_environment(data_dir: Path) -> None:
    there = {"DATABASE_URL": "postgresql://x@127.0.0.1:1/none"}
    assert run(data_dir, "migrate").returncode == 0
    assert run(data_dir, "status", **there).returncode == 5
    assert run(data_dir, "status", "--data-dir", str(data_dir), **there).returncode == 0


@pytest.mark.nightly
def test_a_database_without_the_schema(data_dir: Path) -> None:
    with serving(data_dir):
        there = f"host={data_dir / 'socket'} user=postgres"
        done = run(data_dir, "status", DATABASE_URL=there)
    assert done.returncode == 5
    assert re.fullmatch(
        r"cmbs: the database is at revision none and this CMBS needs \S+: run cmbs migrate .+\n",
        done.stderr,
    ), done.stderr


@pytest.mark.parametrize("command", ["status", "verify --all"])
def test_reading_makes_no_database(tmp_path: Path, command: str) -> None:
    mistyped = tmp_path / "dtaa"
    done = run(mistyped, *command.split())
    assert done.returncode == 2
    assert done.stderr == f"cmbs: there is no database at {mistyped}; cmbs serve makes one\n"
    assert not mistyped.exists()


@pytest.mark.nightly
@pytest.mark.slow("starts PostgreSQL four times")
def test_psql_as_another_role(data_dir: Path) -> None:
    ask = ["-Atc", "select session_user"]
    assert run(data_dir, "psql", "--", "-c", "create role ann login").returncode == 0
    assert run(data_dir, "psql", "--", "-U", "ann", *ask).stdout == "ann\n"
    assert run(data_dir, "psql", "--", *ask, PGUSER="ann").stdout == "ann\n"
    assert run(data_dir, "psql", "--", *ask).stdout == "postgres\n"


@pytest.mark.nightly
def test_a_broken_data_directory_in_one_sentence(data_dir: Path, tmp_path: Path) -> None:
    (tmp_path / "PG_VERSION").write_text("15\n")
    for command in ("status", "serve", "verify --all", "migrate", "psql"):
        done = run(tmp_path, *command.split())
        assert done.returncode == 5
        assert re.fullmatch(r"cmbs: .+ that CMBS did not make; .+\n", done.stderr), done.stderr
