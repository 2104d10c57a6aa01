"""Sessions in files: `cmbs export`, `import`, `replay`, and `verify` of what they wrote."""

import contextlib
import hashlib
import io
import json
import os
import random
import re
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from psycopg.types.json import Json

from cmbs import cli, verify
from cmbs.database.calls import stream
from tests.sql.log.test_import_events import state
from tests.support.beliefs import Connection, Session, contents, message, rich_session
from tests.support.databases import copied
from tests.support.plays import play
from tests.support.servers import ROOT, until

COMMAND = [sys.executable, "-P", "-m", "cmbs"]


@pytest.fixture
def other(server: SimpleNamespace, template: Any) -> Iterator[str]:
    """The address of a second migrated database, with nothing in it."""
    with copied(server, template, "other") as address:
        yield address


def run(*arguments: object, status: int = 0) -> SimpleNamespace:
    """The command, in this process: starting Python for each would take most of the time."""
    with (
        contextlib.redirect_stdout(io.StringIO()) as out,
        contextlib.redirect_stderr(io.StringIO()) as err,
    ):
        try:
            found = cli.main([str(argument) for argument in arguments])
        except SystemExit as usage:
            found = int(str(usage.code))
    assert found == status, err.getvalue() + out.getvalue()
    return SimpleNamespace(stdout=out.getvalue(), stderr=err.getvalue())


def export(database: str, file: Path, *sessions: UUID) -> str:
    which = sessions or ["--all"]
    return str(run("export", *which, "-o", file, "--database-url", database).stdout)


def take(database: str, file: Path, status: int = 0) -> SimpleNamespace:
    return run("import", file, "--database-url", database, status=status)


@pytest.fixture
def many(db: Connection) -> list[UUID]:
    chance = random.Random(7)
    with db.transaction():
        made = [play(db, chance) for _ in range(30)]
        made.append(rich_session(db)[0].id)
        large = Session(db, [f"h{number}" for number in range(20_000)])
        large.batch(*[message(f"h{n * 7}", observation_id=f"m{n}") for n in range(900)])
    return [*made, large.id]


def test_there_and_back(
    database: str, db: Connection, other: str, many: list[UUID], tmp_path: Path
) -> None:
    file, again = tmp_path / "a.zip", tmp_path / "b.zip"
    said = export(database, file)
    assert said.startswith(f"exported {len(many)} sessions, ")
    assert run("verify", file).stdout.count("\nok ") + 1 >= len(many)
    assert take(other, file).stdout.startswith(f"imported {len(many)} sessions, ")
    with psycopg.connect(other, autocommit=True) as there:
        for session_id in many:
            assert state(there, session_id) == state(db, session_id)
            lines = list(stream(db, "audit_lines", session_id=session_id))
            assert list(stream(there, "audit_lines", session_id=session_id)) == lines
        assert not there.execute("select from cmbs.verify_all() where not ok").fetchall()
    export(other, again)
    assert file.read_bytes() == again.read_bytes()
    assert not list(tmp_path.glob("*.part"))


def test_what_is_in_a_bundle(database: str, db: Connection, tmp_path: Path) -> None:
    first = Session(db, "abc", policy=Json({"stability_window": 1}))
    first.eliminate("a")
    second, third = Session(db, "abc"), Session(db, "äx")
    export(database, tmp_path / "a.zip")
    with zipfile.ZipFile(tmp_path / "a.zip") as bundle:
        names = bundle.namelist()
        files = {name: bundle.read(name) for name in names}
    manifest = json.loads(files.pop("manifest.json"))
    kinds = [name.split("/")[0] for name in names]
    assert kinds == ["README.md", *["universes"] * 2, *["sessions"] * 3, "manifest.json"]
    assert manifest["files"] == {
        name: {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        for name, data in files.items()
    }
    texts = {name: data.decode() for name, data in files.items() if "universes" in name}
    assert set(texts.values()) == {'["a", "b", "c"]', '["x", "ä"]'}
    entry = next(one for one in manifest["sessions"] if one["session_id"] == str(first.id))
    last = first.last_event()
    assert entry == {
        "session_id": str(first.id),
        "n_events": 2,
        "head_event_id": last["event_id"],
        "head_hash": last["event_hash"],
        "universe_digest": hashlib.sha256(b'["a", "b", "c"]').hexdigest(),
        "policy_as_sent": {"stability_window": 1},
    }
    ids = {one["session_id"] for one in manifest["sessions"]}
    assert ids == {str(session.id) for session in (first, second, third)}
    lines = files[f"sessions/{first.id}.ndjson"].decode().splitlines()
    whole = list(stream(db, "audit_lines", session_id=first.id))
    assert lines[1:] == whole[1:]
    assert json.loads(lines[0]) == {
        name: value for name, value in json.loads(whole[0]).items() if name != "hypotheses"
    }


def test_some_sessions(database: str, db: Connection, tmp_path: Path) -> None:
    first, second = Session(db), Session(db)
    export(database, tmp_path / "a.zip", first.id)
    said = run("verify", tmp_path / "a.zip").stdout
    assert str(first.id) in said
    assert str(second.id) not in said
    missing = UUID(int=1)
    done = run("export", missing, "-o", tmp_path / "b.zip", "--database-url", database, status=2)
    assert done.stderr == f"cmbs: there is no session {missing}\n"
    done = run("export", first.id, "-o", tmp_path / "a.zip", "--database-url", database, status=2)
    assert "is already there" in done.stderr
    (tmp_path / "a.zip").write_bytes(b"")
    run("export", first.id, "-o", tmp_path / "a.zip", "--force", "--database-url", database)
    run("verify", tmp_path / "a.zip")
    assert [path.name for path in tmp_path.iterdir()] == ["a.zip"]


def test_an_export_that_cannot_be_written(database: str, db: Connection, tmp_path: Path) -> None:
    Session(db)
    for file in (tmp_path / "none" / "a.zip", tmp_path / ("n" * 300)):
        done = run("export", "--all", "-o", file, "--database-url", database, status=5)
        assert done.stderr.startswith(f"cmbs: {file} cannot be written: ")
    assert not list(tmp_path.iterdir())


def test_a_log_without_its_end_is_seen_in_the_file(
    database: str, db: Connection, tmp_path: Path
) -> None:
    cut, gone = Session(db), Session(db)
    cut.eliminate("a")
    db.execute("alter table cmbs_store.audit_event disable trigger all")
    db.execute("delete from cmbs_store.audit_event where session_id = %s and seq = 2", [cut.id])
    db.execute("delete from cmbs_store.audit_event where session_id = %s", [gone.id])
    export(database, tmp_path / "a.zip")
    said = run("verify", tmp_path / "a.zip", status=1).stdout
    assert f"BROKEN  {cut.id}  event 2: the manifest names 2 events, the log has 1\n" in said
    assert f"BROKEN  {gone.id}  event 1: the log has no events\n" in said


@pytest.mark.nightly
@pytest.mark.slow("writes, exports and verifies 100 MB")
def test_large_records_take_little_memory(database: str, db: Connection, tmp_path: Path) -> None:
    session = Session(db)
    large = Json({"log": "x" * 1_000_000})
    for number in range(100):
        session.eliminate(observation_id=str(number), justification=large)
    for arguments in (("export", "--all", "-o", str(tmp_path / "a.zip")), ("replay", session.id)):
        command = [*COMMAND, *map(str, arguments), "--database-url", database]
        done = subprocess.run(
            [sys.executable, "-c", PEAK, *command], capture_output=True, text=True, check=True
        )
        assert int(done.stdout.split()[-1]) < 150_000
    assert str(session.id) in run("verify", tmp_path / "a.zip").stdout


# Prints the memory that a command took at most, in kB.
PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(peak // 1024 if sys.platform == "darwin" else peak)
"""


def test_nothing_to_export(database: str, tmp_path: Path) -> None:
    file = tmp_path / "a.zip"
    done = run("export", "--all", "-o", file, "--database-url", database, status=2)
    assert done.stderr == "cmbs: there is no session to export\n"
    assert not list(tmp_path.iterdir())


def test_importing_again_and_more(
    database: str, db: Connection, other: str, tmp_path: Path
) -> None:
    first = Session(db)
    first.eliminate("a")
    export(database, tmp_path / "a.zip")
    take(other, tmp_path / "a.zip")
    assert "imported 0 sessions, 0 events" in take(other, tmp_path / "a.zip").stdout
    second = Session(db, "xyz")
    export(database, tmp_path / "b.zip")
    assert "1 were here already" in take(other, tmp_path / "b.zip").stdout
    # The log has gone on: what is there is another, and the new session does not come alone.
    third = Session(db, "uvw")
    first.eliminate("b")
    export(database, tmp_path / "c.zip")
    with psycopg.connect(other, autocommit=True) as there:
        before = contents(there)
        done = take(other, tmp_path / "c.zip", status=4)
        assert done.stderr == (
            f"cmbs: session {first.id} is here with another log, or another part of it; "
            "nothing was imported\n"
        )
        assert contents(there) == before
        assert not state(there, third.id)
        assert state(there, second.id)


def rewritten(file: Path, edit: Callable[[dict[str, bytes]], None]) -> None:
    """The bundle with other members, and a manifest that fits them."""
    with zipfile.ZipFile(file) as bundle:
        files = {name: bundle.read(name) for name in bundle.namelist()}
    edit(files)
    manifest = json.loads(files.pop("manifest.json"))
    manifest["files"] = {
        name: {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        for name, data in files.items()
    }
    with zipfile.ZipFile(file, "w") as bundle:
        for name, data in files.items():
            bundle.writestr(name, data)
        bundle.writestr("manifest.json", json.dumps(manifest))


def log_of(files: dict[str, bytes], number: int = 0) -> str:
    return [name for name in files if name.startswith("sessions/")][number]


def cut(files: dict[str, bytes]) -> None:
    name = log_of(files, -1)
    files[name] = b"".join(files[name].splitlines(keepends=True)[:-1])


def reorder(files: dict[str, bytes]) -> None:
    name = log_of(files, -1)
    lines = files[name].splitlines(keepends=True)
    files[name] = b"".join([lines[0], lines[2], lines[1], *lines[3:]])


def change(files: dict[str, bytes]) -> None:
    name = log_of(files, -1)
    files[name] = files[name].replace(b"observation 2", b"observation 9")


def fork(files: dict[str, bytes]) -> None:
    name = log_of(files, -1)
    files[name] += files[name].splitlines(keepends=True)[-1]


def other_policy(files: dict[str, bytes]) -> None:
    manifest = json.loads(files["manifest.json"])
    manifest["sessions"][-1]["policy_as_sent"] = {"stability_window": 9}
    files["manifest.json"] = json.dumps(manifest).encode()


def stranger(files: dict[str, bytes]) -> None:
    files["../../evil"] = b"x"


@pytest.mark.parametrize("edit", [cut, reorder, change, fork, other_policy, stranger])
def test_what_does_not_verify_is_refused_whole(
    database: str, db: Connection, other: str, tmp_path: Path, edit: Any
) -> None:
    for _ in range(2):
        session = Session(db)
        for hypothesis in "abc":
            session.eliminate(hypothesis)
    file = tmp_path / "a.zip"
    export(database, file)
    rewritten(file, lambda files: None)
    run("verify", file)
    rewritten(file, edit)
    run("verify", file, status=1)
    with psycopg.connect(other, autocommit=True) as there:
        before = contents(there)
        assert "nothing was imported" in take(other, file, status=1).stderr
        assert contents(there) == before


def test_a_cut_file(database: str, db: Connection, other: str, tmp_path: Path) -> None:
    rich_session(db)
    file = tmp_path / "a.zip"
    export(database, file)
    whole = file.read_bytes()
    for size in (0, 1, 30, len(whole) // 2, len(whole) - 1):
        file.write_bytes(whole[:size])
        for command in (["verify", file], ["replay", file]):
            run(*command, status=1)
        assert "nothing was imported" in take(other, file, status=1).stderr
    done = take(other, tmp_path / "none.zip", status=1)
    assert re.fullmatch(r"cmbs: [^\n]+\n", done.stderr)


def test_a_killed_import_leaves_nothing(
    database: str, db: Connection, other: str, tmp_path: Path
) -> None:
    session = Session(db)
    for part in range(8):
        session.batch(*[message("a", observation_id=f"{part} {n}") for n in range(1000)])
    export(database, tmp_path / "a.zip")
    with psycopg.connect(other, autocommit=True) as there, contextlib.ExitStack() as stack:
        before = contents(there)
        # Holds the import up in its second part.
        holder = stack.enter_context(psycopg.connect(other))
        holder.execute("lock table cmbs_store.tombstone in exclusive mode")
        importer = subprocess.Popen(
            [*COMMAND, "import", str(tmp_path / "a.zip"), "--database-url", other], cwd=ROOT
        )
        blocked = "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
        until(lambda: there.execute(blocked).fetchone() == (1,))
        importer.send_signal(signal.SIGKILL)
        importer.wait(30)
        holder.rollback()
        sessions = "select count(*) from pg_stat_activity where query like '%import_events%'"
        sessions += " and pid <> pg_backend_pid()"
        until(lambda: there.execute(sessions.encode()).fetchone() == (0,))
        assert contents(there) == before
        take(other, tmp_path / "a.zip")
        assert state(there, session.id) == state(db, session.id)


def test_who_may_import(database: str, db: Connection, other: str, tmp_path: Path) -> None:
    Session(db)
    export(database, tmp_path / "a.zip")
    file = tmp_path / "a.zip"
    with psycopg.connect(other, autocommit=True) as there:
        there.execute("create role carrier login in role cmbs_auditor, cmbs_agent")
        try:
            carrier = make_conninfo(other, user="carrier")
            refused = take(carrier, file, status=4)
            assert refused.stderr == (
                "cmbs: only the owner of the database may import: connect as a member of "
                "cmbs_owner\n"
            )
            there.execute("revoke cmbs_auditor, cmbs_agent from carrier")
            there.execute("grant cmbs_owner to carrier")
            assert take(carrier, file).stdout.startswith("imported 1 session, ")
        finally:
            there.execute("drop role carrier")


def test_export_of_a_changing_database(database: str, db: Connection, tmp_path: Path) -> None:
    """What is written is a beginning of each log, whatever is appended meanwhile."""
    session = Session(db, [f"h{n}" for n in range(50)])
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, database, str(session.id)], cwd=ROOT, stdout=subprocess.PIPE
    )
    try:
        assert writer.stdout is not None
        writer.stdout.readline()
        for number in range(4):
            export(database, tmp_path / f"{number}.zip")
            run("verify", tmp_path / f"{number}.zip")
    finally:
        writer.kill()
        writer.wait()
        writer.stdout.close()
    lengths = []
    for number in range(4):
        with verify.Bundle(tmp_path / f"{number}.zip") as bundle:
            (entry,) = bundle.sessions
            lines = [line.rstrip(b"\n") for line in bundle.lines(entry)]
        stored = [line.encode() for line in stream(db, "audit_lines", session_id=session.id)]
        assert lines[1:] == stored[1 : len(lines)]
        lengths.append(len(lines))
    assert lengths == sorted(lengths)
    assert lengths[-1] > lengths[0]


WRITER = """
import sys, psycopg
from cmbs.database.calls import call
with psycopg.connect(sys.argv[1], autocommit=True) as connection:
    for n in range(100_000):
        call(connection, "eliminate", session_id=sys.argv[2], source_id="s",
             observation_id=str(n), eliminated=[f"h{n}"], minimal=True)
        if n == 10:
            print("going", flush=True)
"""


def test_replay(database: str, db: Connection, tmp_path: Path) -> None:
    session, _ = rich_session(db)
    file, log = tmp_path / "a.zip", tmp_path / "a.ndjson"
    export(database, file)
    log.write_text(
        "".join(f"{line}\n" for line in stream(db, "audit_lines", session_id=session.id))
    )
    stored = run("replay", session.id, "--database-url", database).stdout
    assert stored.endswith("\nthe stored state is the same\n")
    assert run("replay", file).stdout == run("replay", log).stdout
    assert stored.startswith(run("replay", file).stdout)
    assert "  0.0000  request termination: approved" in stored
    assert f"hash {session.snapshot()['survivors_hash']}" in stored
    assert "\n      9  " in stored
    assert "other ä/%2F eliminates" not in stored, "what was said is quoted, ids with odd letters"


def test_replay_finds_what_is_wrong(database: str, db: Connection, tmp_path: Path) -> None:
    session = Session(db)
    session.eliminate("a")
    db.execute("alter table cmbs_store.session disable trigger all")
    db.execute("update cmbs_store.session set n_survivors = 2")
    done = run("replay", session.id, "--database-url", database, status=1)
    assert done.stdout.endswith(
        "BROKEN  the stored state differs from the log: entropy_proxy, n_survivors\n"
    )
    db.execute("alter table cmbs_store.audit_event disable trigger all")
    db.execute("update cmbs_store.audit_event set record = replace(record, 'source', 'force')")
    done = run("replay", session.id, "--database-url", database, status=1)
    assert f"BROKEN  {session.id}  event 2: " in done.stdout
    nobody = UUID(int=5)
    done = run("replay", nobody, "--database-url", database, status=2)
    assert done.stderr == f"cmbs: there is no session {nobody}\n"


def test_sessions_and_files_are_not_mixed(tmp_path: Path) -> None:
    done = run("verify", tmp_path / "a.zip", status=2)
    assert "neither a session's id nor a file" in done.stderr
    for command in ("verify", "replay"):
        done = run(command, "n" * 300, status=1)
        assert done.stderr.endswith(": the file cannot be opened: File name too long\n")
    (tmp_path / "a.zip").touch()
    done = run("verify", UUID(int=5), tmp_path / "a.zip", status=2)
    assert "not both" in done.stderr


def test_a_reader_that_goes_away(database: str, db: Connection) -> None:
    session = Session(db)
    for part in range(5):
        session.batch(*[message("a", observation_id=f"{part} {n}") for n in range(1000)])
    command = [*COMMAND, "replay", str(session.id), "--database-url", database]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as done:
        assert done.stdout is not None
        assert done.stderr is not None
        os.read(done.stdout.fileno(), 10)
        done.stdout.close()
        assert done.stderr.read() == b""
        assert done.wait(30) == 141
