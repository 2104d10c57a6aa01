"""The command line, as a process: what it prints and the status it ends with."""

import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cmbs import cluster
from tests.servers import ROOT, postmaster_of, reachable_folder, until

COMMAND = [sys.executable, "-P", "-m", "cmbs"]
COMMANDS = ["serve", "migrate", "roles", "status", "psql", "verify"]
NOBODY = "00000000-0000-0000-0000-000000000000"


@pytest.fixture(scope="module")
def data_dir() -> Iterator[Path]:
    """Kept over the tests of this file: making one is what takes the time."""
    with reachable_folder() as folder:
        yield folder / "data"


def environment(data_dir: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    return {**kept, "CMBS_DATA_DIR": str(data_dir), **more}


def run(data_dir: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments],
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
        [*COMMAND, "serve"],
        cwd=ROOT,
        env=environment(data_dir),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line.startswith("CMBS is ready: psql 'postgresql://postgres@/cmbs?"), (
                line or process.stderr
            )
            yield process
        finally:
            process.terminate()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_serve_ends_cleanly(data_dir: Path, number: signal.Signals) -> None:
    with serving(data_dir) as process:
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (0, "", "")
    assert cluster.pid_file(data_dir / "postgres") is None
    assert "database system is shut down" in (data_dir / "postgres.log").read_text()


def test_one_serves_and_short_commands_join(data_dir: Path) -> None:
    with serving(data_dir) as process:
        second = run(data_dir, "serve")
        assert second.returncode == 1
        assert second.stderr == (
            f"cmbs: process {process.pid} already runs PostgreSQL on {data_dir}; "
            "stop it or choose another data directory\n"
        )
        assert run(data_dir, "status").returncode == 0
        assert process.poll() is None
        assert cluster.pid_file(data_dir / "postgres"), "it was not the short command's to stop"


def test_serve_recovers_its_killed_postgres(data_dir: Path) -> None:
    with serving(data_dir) as process:
        first = postmaster_of(data_dir)
        os.kill(first, signal.SIGKILL)
        until(lambda: run(data_dir, "status").returncode == 0 and postmaster_of(data_dir) != first)
        assert process.poll() is None


def test_status_on_a_new_database(data_dir: Path) -> None:
    done = run(data_dir, "status")
    assert done.returncode == 0
    shape = r"database  cmbs on .* as postgres, PostgreSQL \d\d\nschema    revision \S+\n"
    assert re.fullmatch(shape + r"sessions  0, 0 of them terminated\nevents    0\n", done.stdout), (
        done.stdout
    )


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


def test_psql_takes_arguments_and_passes_its_status_on(data_dir: Path) -> None:
    done = run(data_dir, "psql", "--", "-Atc", "select current_database()")
    assert (done.returncode, done.stdout) == (0, "cmbs\n")
    assert run(data_dir, "psql", "--", "-v", "ON_ERROR_STOP=1", "-c", "select x").returncode == 1


def test_verify_without_anything_to_check(data_dir: Path) -> None:
    done = run(data_dir, "verify", "--all")
    assert (done.returncode, done.stdout) == (1, "there is no session to check\n")
    done = run(data_dir, "verify", NOBODY)
    assert done.returncode == 1
    assert f"BROKEN  {NOBODY}  there is no such session\n" in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nonsense"],
        ["verify"],
        ["verify", "not-a-uuid"],
        ["verify", "--all", NOBODY],
        ["verify", "--all", "--jobs", "0"],
        ["roles"],
        ["status", "--data-dir", "x", "--database-url", "y"],
    ],
    ids=" ".join,
)
def test_usage(data_dir: Path, arguments: list[str]) -> None:
    done = run(data_dir, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("usage: cmbs")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_with_an_example(data_dir: Path, command: str) -> None:
    done = run(data_dir, command, "--help")
    assert done.returncode == 0
    assert f"example: cmbs {command}" in done.stdout


@pytest.mark.parametrize("command", ["status", "serve", "migrate"])
@pytest.mark.parametrize("url", ["postgresql://x@127.0.0.1:1/none", "nonsense"])
def test_a_database_that_cannot_be_reached(data_dir: Path, command: str, url: str) -> None:
    done = run(data_dir, command, "--database-url", url)
    assert done.returncode == 1
    assert re.fullmatch(r"cmbs: .+\n", done.stderr), done.stderr


def test_what_is_typed_goes_before_the_environment(data_dir: Path) -> None:
    there = {"DATABASE_URL": "postgresql://x@127.0.0.1:1/none"}
    assert run(data_dir, "status", **there).returncode == 1
    assert run(data_dir, "status", "--data-dir", str(data_dir), **there).returncode == 0


def test_a_database_without_the_schema(data_dir: Path) -> None:
    with serving(data_dir):
        there = f"host={data_dir / 'socket'} user=postgres"
        done = run(data_dir, "status", DATABASE_URL=there)
    assert done.returncode == 1
    assert re.fullmatch(
        r"cmbs: the database is at revision none and this CMBS needs \S+: run cmbs migrate .+\n",
        done.stderr,
    ), done.stderr


def test_a_broken_data_directory_in_one_sentence(data_dir: Path, tmp_path: Path) -> None:
    (tmp_path / "PG_VERSION").write_text("15\n")
    for command in ("status", "serve", "verify --all", "migrate", "psql"):
        done = run(tmp_path, *command.split())
        assert done.returncode == 1
        assert re.fullmatch(r"cmbs: .+ that CMBS did not make; .+\n", done.stderr), done.stderr
