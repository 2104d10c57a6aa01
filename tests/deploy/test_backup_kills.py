"""`cmbs dump` and `cmbs restore` as processes: cut, killed, refused; nothing half of anything."""

import contextlib
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from cmbs.common.failure import WrongError
from cmbs.deploy import binaries, doctor, dumpfile, embedded, migrate
from tests.golden import regenerate
from tests.support.beliefs import rich_session
from tests.support.servers import OWNER, ROOT, ask, reachable_folder, until

COMMAND = [sys.executable, "-P", "-m", "cmbs"]
PASSWORD = "sesame-open"


@pytest.fixture(scope="module")
def server() -> Iterator[embedded.Server]:
    """A cluster of its own: what happens to roles here is felt by every database of one."""
    with reachable_folder() as folder, embedded.start(folder / "data", durable=False) as own:
        source = regenerate.create_database(own, "source")
        migrate.migrate(source)
        with psycopg.connect(source, autocommit=True) as connection:
            rich_session(connection)
        yield own


def command(*arguments: str | Path, url: str | None = None) -> list[str]:
    given = ["--database-url", url] if url else []
    return [*COMMAND, *map(str, arguments), *given]


def run(
    *arguments: str | Path, url: str | None = None, **env: str
) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    return subprocess.run(
        command(*arguments, url=url),
        cwd=ROOT,
        env={**kept, **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )


def address(server: embedded.Server, name: str) -> str:
    """As it would be given, with a password, which the server does not ask for."""
    return server.url(name).replace("postgres@", f"postgres:{PASSWORD}@")


@pytest.fixture(scope="module")
def dumped(server: embedded.Server, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("dump") / "whole.dump"
    done = run("dump", "-o", file, url=address(server, "source"))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"wrote {file}: ")
    assert [path.name for path in file.parent.iterdir()] == ["whole.dump"]
    return file


@contextlib.contextmanager
def started(*arguments: str | Path, url: str) -> Iterator["subprocess.Popen[str]"]:
    with subprocess.Popen(
        command(*arguments, url=url),
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def waiting(server: embedded.Server, name: str) -> list[int]:
    """The backends of this database that wait for a lock."""
    found = ask(
        server,
        "select coalesce(string_agg(pid::text, ' '), '') from pg_stat_activity "
        f"where datname = '{name}' and wait_event_type = 'Lock'",
    )
    return [int(pid) for pid in found.split()]


def end(server: embedded.Server, pids: list[int]) -> None:
    for pid in pids:
        ask(server, f"select pg_terminate_backend({pid})")


def children_of(pid: int) -> list[str]:
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [Path(f"/proc/{child}/cmdline").read_text() for child in listed]


@pytest.mark.nightly
@pytest.mark.slow("a dump is killed, and what is left tried")
@pytest.mark.parametrize(
    "number",
    [
        signal.SIGKILL,
        *(
            pytest.param(number, marks=pytest.mark.nightly)
            for number in (signal.SIGTERM, signal.SIGINT)
        ),
    ],
)
def test_a_dump_that_is_ended_leaves_nothing_that_looks_whole(
    server: embedded.Server, tmp_path: Path, number: signal.Signals
) -> None:
    file = tmp_path / "new.dump"
    with psycopg.connect(server.conninfo("source")) as holder:
        holder.execute("lock table cmbs_store.conclusion in access exclusive mode")
        with started("dump", "-o", file, url=address(server, "source")) as process:
            until(lambda: waiting(server, "source"))
            if sys.platform == "linux":
                (seen,) = children_of(process.pid)
                assert "pg_dump" in seen
                assert PASSWORD not in seen
            process.send_signal(number)
            process.wait(60)
        end(server, waiting(server, "source"))
    until(lambda: not waiting(server, "source"))
    assert not file.exists()
    for left in tmp_path.iterdir():
        assert number == signal.SIGKILL
        assert left.suffix == ".part"
        assert run("restore", left, url=address(server, "source")).returncode == 1


def test_a_server_that_ends_the_dump(server: embedded.Server, tmp_path: Path) -> None:
    with psycopg.connect(server.conninfo("source")) as holder:
        holder.execute("lock table cmbs_store.conclusion in access exclusive mode")
        url = address(server, "source")
        with started("dump", "-o", tmp_path / "new.dump", url=url) as process:
            until(lambda: waiting(server, "source"))
            end(server, waiting(server, "source"))
            out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (5, "")
    assert err.startswith("cmbs: the dump failed, nothing was written: pg_dump: error: ")
    assert err.count("\n") == 1
    assert os.listdir(tmp_path) == []


def test_a_terminal_sees_how_far_it_is(server: embedded.Server, tmp_path: Path) -> None:
    terminal, its_end = pty.openpty()
    with psycopg.connect(server.conninfo("source")) as holder:
        holder.execute("lock table cmbs_store.conclusion in access exclusive mode")
        dump = command("dump", "-o", tmp_path / "dump", url=address(server, "source"))
        with subprocess.Popen(dump, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=its_end) as process:
            os.close(its_end)
            shown = b""
            while b"B/s" not in shown:
                shown += os.read(terminal, 1000)
            holder.rollback()
            assert process.wait(60) == 0
    os.close(terminal)
    assert shown.startswith(b"\r\x1b[K0 B  0 B/s")


@pytest.mark.slow("six dumps")
def test_a_file_that_is_there_is_not_lost(
    server: embedded.Server, dumped: Path, tmp_path: Path
) -> None:
    file = tmp_path / "kept.dump"
    file.write_bytes(dumped.read_bytes())
    again = run("dump", "-o", file, url=address(server, "source"))
    assert again.stderr == f"cmbs: {file} is already there; choose another name, or --force\n"
    gone = run("dump", "--force", "-o", file, url=address(server, "nowhere"))
    assert gone.returncode == 5
    assert file.read_bytes() == dumped.read_bytes()
    assert run("dump", "--force", "-o", file, url=address(server, "source")).returncode == 0
    assert os.listdir(tmp_path) == ["kept.dump"]
    for target, reason in (
        (tmp_path, "is a directory"),
        (tmp_path / "no" / "x", "cannot be written"),
    ):
        refused = run("dump", "-o", target, url=address(server, "source"))
        assert refused.returncode == (2 if target == tmp_path else 5)
        assert reason in refused.stderr


def is_untouched(server: embedded.Server, name: str) -> bool:
    return [f.what for f in doctor.examine(server.conninfo(name)).findings] == [
        "there is no CMBS in this database"
    ]


def test_a_cut_or_changed_dump_is_refused(
    server: embedded.Server, dumped: Path, tmp_path: Path
) -> None:
    regenerate.create_database(server, "spared")
    whole = dumped.read_bytes()
    harmed = {"empty": b"", "other": b"-- PostgreSQL database dump\n" + whole}
    for part in (4, 100, len(whole) // 2, len(whole) - 200, len(whole) - 1):
        harmed[f"cut at {part}"] = whole[:part]
    for place in (20, 5000, len(whole) // 2, len(whole) - 500, len(whole) - 30):
        flipped = bytes([whole[place] ^ 1])
        harmed[f"changed at {place}"] = whole[:place] + flipped + whole[place + 1 :]
    harmed["longer"] = whole + b"x"
    file = tmp_path / "harmed"
    for name, content in harmed.items():
        file.write_bytes(content)
        with pytest.raises(WrongError) as refused:
            dumpfile.check(file, sealed=True)
        assert str(refused.value).startswith(f"{file} "), name
    # One for each of the three reasons, all the way.
    for name in ("empty", "cut at 100", "changed at 5000"):
        file.write_bytes(harmed[name])
        done = run("restore", file, url=address(server, "spared"))
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1), name
    assert is_untouched(server, "spared")


@pytest.mark.nightly
@pytest.mark.slow("four restores")
def test_what_pg_dump_wrote_is_taken_when_said_so(server: embedded.Server, tmp_path: Path) -> None:
    file = tmp_path / "theirs"
    program = str(server.bindir / "pg_dump")
    where = ["-d", server.conninfo("source")]
    subprocess.run([program, "-Fc", "-f", file, *where], check=True, capture_output=True)
    regenerate.create_database(server, "from_theirs")
    url = address(server, "from_theirs")
    refused = run("restore", file, url=url)
    assert refused.returncode == 1
    assert "--unsealed" in refused.stderr
    cut = tmp_path / "cut"
    cut.write_bytes(file.read_bytes()[:-100])
    assert run("restore", "--unsealed", cut, url=url).returncode == 5
    assert is_untouched(server, "from_theirs")
    done = run("restore", "--unsealed", file, url=url)
    assert (done.returncode, done.stderr) == (0, "")
    assert PASSWORD not in done.stdout
    assert done.stdout.splitlines()[1:3] == [
        f"the schema is at revision {migrate.head()}",
        "the schema is as this version expects it",
    ]
    assert "checked 1 session, " in done.stdout
    again = run("restore", "--unsealed", file, url=url)
    assert again.stderr.startswith("cmbs: the database is not empty: it already holds ")


@pytest.mark.slow("a server of its own, and all of a restore twice")
@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGKILL, marks=pytest.mark.nightly)]
)
def test_a_restore_that_is_ended_leaves_nothing(dumped: Path, number: signal.Signals) -> None:
    """At its very end: what waits is the granting of rights, after all rows are there."""
    with reachable_folder() as folder, embedded.start(folder / "d", durable=False) as empty:
        url = regenerate.create_database(empty, "target")
        migrate.create_roles(url)
        with psycopg.connect(empty.conninfo()) as holder:
            holder.execute("drop role cmbs_auditor")
            with started("restore", dumped, url=address(empty, "target")) as process:
                until(lambda: waiting(empty, "target"))
                if sys.platform == "linux":
                    (seen,) = children_of(process.pid)
                    assert "pg_restore" in seen
                    assert PASSWORD not in seen
                process.send_signal(number)
                process.wait(60)
            end(empty, waiting(empty, "target"))
            holder.rollback()
        until(lambda: ask(empty, CONNECTED) == "0")
        assert is_untouched(empty, "target")
        assert run("restore", dumped, url=address(empty, "target")).returncode == 0
        assert doctor.examine(url).findings == []


CONNECTED = "select count(*) from pg_stat_activity where datname = 'target'"


@pytest.mark.nightly
@pytest.mark.slow("two versions of PostgreSQL, a dump and a restore between them, and one back")
def test_a_dump_of_a_served_database_and_from_one_version_to_the_next(tmp_path: Path) -> None:
    """The whole way of the embedded PostgreSQL, as the message of a refused start names it."""
    old_programs = binaries.debian_bindir(15)
    if not old_programs.is_dir():
        pytest.skip(f"no PostgreSQL 15 in {old_programs} to come from")
    with reachable_folder() as folder:
        old, new, file = folder / "old", folder / "new", tmp_path / "moved.dump"
        older = {"CMBS_PG_BINDIR": str(old_programs)}
        newer: dict[str, Any] = {"CMBS_PG_BINDIR": ""}
        assert run("migrate", "--data-dir", old, **older).returncode == 0
        owner = [sys.executable, "-c", OWNER, str(old)]
        env = {**os.environ, **older, "PYTHONPATH": str(ROOT)}
        pipe = subprocess.PIPE
        with subprocess.Popen(owner, stdin=pipe, stdout=pipe, env=env, text=True) as serving:
            assert serving.stdout is not None
            conninfo = serving.stdout.readline().strip().replace("dbname='postgres'", "dbname=cmbs")
            with psycopg.connect(conninfo, autocommit=True) as connection:
                session, _ = rich_session(connection)
                heads = connection.execute("table cmbs.chain_head").fetchall()
            done = run("dump", "-o", file, "--data-dir", old, **older)
            assert (done.returncode, done.stderr) == (0, "")
            assert serving.poll() is None, "it was joined"
            serving.communicate("")
        refused = run("status", "--data-dir", old, **newer)
        if "was made by" not in refused.stderr:
            pytest.skip("only PostgreSQL 15 is at hand: nowhere to go")
        said = f"CMBS_PG_BINDIR={old_programs} cmbs dump --data-dir {old} -o FILE, "
        assert f"{said}then cmbs restore FILE --data-dir NEW" in refused.stderr
        done = run("restore", file, "--data-dir", new, **newer)
        assert (done.returncode, done.stderr) == (0, "")
        with (
            pytest.MonkeyPatch.context() as patch,
            contextlib.ExitStack() as stack,
        ):
            patch.setenv("CMBS_PG_BINDIR", "")
            started_ = stack.enter_context(embedded.start(new, durable=False))
            assert started_.major > 15
            connection = stack.enter_context(psycopg.connect(started_.conninfo("cmbs")))
            assert connection.execute("table cmbs.chain_head").fetchall() == heads
            checked = connection.execute("select cmbs.verify(%s)", [session.id]).fetchone()
            assert checked is not None
            assert checked[0]["ok"] is True
        back = tmp_path / "back.dump"
        assert run("dump", "-o", back, "--data-dir", new, **newer).returncode == 0
        down = run("restore", back, "--data-dir", folder / "down", **older)
        assert "a dump goes into the same version or a later one" in down.stderr


@pytest.mark.nightly
@pytest.mark.slow("deploys, dumps and restores")
def test_a_dump_of_what_a_newer_version_made(server: embedded.Server, tmp_path: Path) -> None:
    url = regenerate.create_database(server, "newer")
    migrate.migrate(url)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("update cmbs_store.revision set version_num = '9999'")
    file = tmp_path / "newer.dump"
    assert run("dump", "-o", file, url=url).returncode == 0
    regenerate.create_database(server, "not_newer")
    refused = run("restore", file, url=server.url("not_newer"))
    assert refused.stderr == (
        f"cmbs: {file} is of revision 9999, which this CMBS does not know: "
        "install the CMBS that it was made by, or a later one\n"
    )
    assert is_untouched(server, "not_newer")
    nothing = run("dump", "-o", tmp_path / "nothing", url=server.url("not_newer"))
    assert nothing.stderr == "cmbs: there is no CMBS in this database\n"


@pytest.mark.slow("deploys, and asks doctor three times")
@pytest.mark.nightly
def test_doctor_as_a_command(server: embedded.Server) -> None:
    url = regenerate.create_database(server, "patient")
    sick = run("doctor", url=url)
    assert (sick.returncode, sick.stderr) == (1, "")
    assert "-- there is no CMBS in this database\n-- cmbs migrate\n" in sick.stdout
    assert run("migrate", url=url).returncode == 0
    well = run("doctor", url=url)
    assert (well.returncode, well.stderr) == (0, "")
    assert well.stdout.endswith("-- healthy: everything is as this version expects it\n")
    assert run("doctor", "--nonsense").returncode == 2
