"""The log in a file: on disk before an answer, whole after a crash, and of one process."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cmbs import verify
from cmbs.audit_log import FileAuditLog, restore_all
from cmbs.belief_server import BeliefServer
from tests.library.kit import (
    BATCH,
    ELIMINATE,
    VERBS,
    Call,
    Store,
    check,
    declared,
    play,
    ready,
    refused,
    send,
    state,
    verb_name,
    verified,
)
from tests.support.servers import ROOT


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "audit.ndjson"


def played(path: Path) -> tuple[BeliefServer, str]:
    """A session whose log is in the file, which is closed again."""
    with FileAuditLog(path) as log:
        server = BeliefServer(audit_log=log)
        session_id = declared(server, ["a", "b", "c", "é\u2028", "\U0001f52c"])
        play(server, session_id)
    return server, session_id


def restored(path: Path) -> BeliefServer:
    server = BeliefServer()
    with FileAuditLog(path) as log:
        restore_all(server, None, log)
    return server


def test_the_lines_are_those_of_an_auditor(path: Path) -> None:
    server, session_id = played(path)
    (found,) = verify.check(path)
    assert (found.ok, found.session_id) == (True, session_id)
    assert found.head_hash == server.query_belief(session_id).audit_head_hash
    verified(path.read_bytes().splitlines(keepends=True), server.query_belief(session_id))


def test_sessions_are_kept_apart(path: Path) -> None:
    with FileAuditLog(path) as log:
        server = BeliefServer(audit_log=log)
        one, other = declared(server), declared(server)
        for session_id in (one, other, one):
            server.declare_conclusion(session_id, "é")
    with FileAuditLog(path) as log:
        assert log.sessions() == [one, other]
        for session_id in (one, other):
            assert log.entries(session_id) == server.audit_trace(session_id)
            lines = [line.encode() for line in log.lines(session_id)]
            verified(lines, server.query_belief(session_id))
        assert log.entries(one.upper()) == server.audit_trace(one)
        with pytest.raises(KeyError):
            log.entries("nowhere")


@pytest.mark.parametrize("call", VERBS, ids=verb_name)
def test_a_line_is_on_disk_before_the_answer(
    path: Path, monkeypatch: pytest.MonkeyPatch, call: Call
) -> None:
    synced: list[bytes] = []
    fsync = os.fsync

    def spy(file: int) -> None:
        fsync(file)
        synced.append(path.read_bytes())

    with FileAuditLog(path) as log:
        server = BeliefServer(audit_log=log)
        session_id = ready(server, call)
        monkeypatch.setattr(os, "fsync", spy)
        event_id = send(server, session_id, call).event_id
        assert len(synced) == 1
        assert synced[0] == path.read_bytes()
        assert event_id.encode() in synced[0].splitlines()[-1]
        send(server, declared(server), ("query_belief", {}))
        assert len(synced) == 2, "of the declare; whoever reads does not wait for the disk"


def test_a_new_file_is_its_owners_and_its_folder_is_on_disk(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders: list[str] = []
    fsync = os.fsync

    def spy(file: int) -> None:
        fsync(file)
        folders.append(os.readlink(f"/proc/self/fd/{file}"))

    if sys.platform != "linux":
        pytest.skip("only Linux tells what a descriptor is of")
    monkeypatch.setattr(os, "fsync", spy)
    FileAuditLog(path).close()
    assert folders == [str(path.parent)]
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_torn_line_is_cut_off_wherever_it_ends(path: Path) -> None:
    server, session_id = played(path)
    whole = path.read_bytes()
    last = whole.rstrip(b"\n").rindex(b"\n") + 1
    first = whole.index(b"\n") + 1
    assert not whole[:first].isascii(), "it is torn within a character, too"
    for end in [*range(first), *range(last, len(whole))]:
        path.write_bytes(whole[:end])
        with FileAuditLog(path) as log:
            n = 0 if end < first else server.query_belief(session_id).audit_seq - 1  # type: ignore[operator]
            assert log.sessions() == ([session_id] if n else [])
            assert not n or len(log.entries(session_id)) == n
        assert path.read_bytes() == whole[: last if n else 0]


@pytest.mark.parametrize("torn", [b"\0" * 4096, b"\xff\xfe", b'{"event_hash": "', b"\xf0\x9f"])
def test_a_log_goes_on_after_a_torn_line(path: Path, torn: bytes) -> None:
    before, session_id = played(path)
    whole = path.read_bytes()
    path.write_bytes(whole + torn)
    with FileAuditLog(path) as log:
        server = BeliefServer(audit_log=log)
        assert restore_all(server, None, log) == [session_id]
        assert state(server, session_id) == state(before, session_id)
        new = declared(server)
    assert path.read_bytes().startswith(whole)
    assert restored(path).query_belief(new) == server.query_belief(new)


@pytest.mark.parametrize(
    "damage",
    [
        *[b"\n", b"{}\n", b"5\n", b"null\n", b"[]\n", b"\xff\n", b"\0\0\n", b"[" * 100_000 + b"\n"],
        *[b'{"record": "{}"}\n', b'{"record": 5}\n', b'{"record": "[]", "event_hash": ""}\n'],
        b'{"event_hash": "", "record": "{\\"session_id\\": [], \\"seq\\": 1}"}\n',
    ],
    ids=lambda damage: repr(damage[:12]),
)
def test_a_damaged_line_is_named(path: Path, damage: bytes) -> None:
    played(path)
    lines = path.read_bytes().splitlines(keepends=True)
    for at in (0, 2, len(lines)):
        path.write_bytes(b"".join([*lines[:at], damage, *lines[at:]]))
        before = path.read_bytes()
        with pytest.raises(ValueError, match=f"line {at + 1} of .* is no event"):
            FileAuditLog(path)
        assert path.read_bytes() == before


def test_a_file_that_was_refused_can_be_opened_once_it_is_mended(path: Path) -> None:
    _, session_id = played(path)
    whole = path.read_bytes()
    path.write_bytes(whole + b"{}\n")
    with pytest.raises(ValueError, match="is no event"):
        FileAuditLog(path)
    path.write_bytes(whole)
    with FileAuditLog(path) as log:
        assert log.sessions() == [session_id]


def test_two_logs_on_one_path(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    with FileAuditLog(path):
        link.symlink_to(path)
        for other in (path, str(path), link):
            with pytest.raises(BlockingIOError, match="in use by another log"):
                FileAuditLog(other)
    FileAuditLog(path).close()


def test_two_processes_on_one_path(path: Path) -> None:
    program = "import sys; from cmbs.audit_log import FileAuditLog; FileAuditLog(sys.argv[1])"
    command = [sys.executable, "-c", program, str(path)]
    with FileAuditLog(path):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 1
        assert "in use by another log" in done.stderr.splitlines()[-1]
    assert subprocess.run(command, cwd=ROOT, capture_output=True).returncode == 0


def test_a_closed_log_undoes_the_verb(path: Path) -> None:
    server, session_id = played(path)
    new = BeliefServer()
    with FileAuditLog(path) as log:
        new = BeliefServer(audit_log=log)
        restore_all(new, None, log)
    log.close()
    with pytest.raises(ValueError, match="is closed"):
        declared(new)
    assert state(new, session_id) == state(server, session_id)


def test_events_that_do_not_continue_the_file_are_refused(path: Path) -> None:
    server, session_id = played(path)
    whole = path.read_bytes()
    entries = server.audit_trace(session_id)
    with FileAuditLog(path) as log:
        for wrong in (entries[:1], entries[-1:], entries):
            with pytest.raises(ValueError, match="was it restored"):
                log.extend(wrong)
        assert path.read_bytes() == whole
        other = BeliefServer(audit_log=log)
        unrelated = declared(other)
        assert log.sessions() == [session_id, unrelated]


def test_an_event_of_another_past_is_refused(path: Path) -> None:
    """Its number is the next one, and what it names is not the end of the file."""
    server, session_id = played(path)
    whole = path.read_bytes()
    *_, last = server.audit_trace(session_id)
    with FileAuditLog(path) as log:
        with pytest.raises(ValueError, match="was it restored"):
            log.extend([replace(last, seq=last.seq + 1)])
        assert path.read_bytes() == whole


class Full:
    """A disk with room for so many bytes more."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left, self._write = 1 << 40, os.write
        monkeypatch.setattr(os, "write", self.write)

    def write(self, file: int, data: Any) -> int:
        if not self.left:
            raise OSError(28, "No space left on device")
        written = self._write(file, bytes(data)[: self.left])
        self.left -= written
        return written


@pytest.mark.parametrize("call", [ELIMINATE, BATCH], ids=verb_name)
@pytest.mark.parametrize("room", [0, 1, 100, 600])
def test_a_full_disk_undoes_the_verb(
    path: Path, monkeypatch: pytest.MonkeyPatch, call: Call, room: int
) -> None:
    disk = Full(monkeypatch)
    with FileAuditLog(path) as log:
        server = BeliefServer(audit_log=log)
        session_id = declared(server)
        before, whole = state(server, session_id), path.read_bytes()
        disk.left = room
        with pytest.raises(OSError, match="No space left"):
            send(server, session_id, call)
        assert (state(server, session_id), path.read_bytes()) == (before, whole)
        disk.left = 1 << 40
        assert send(server, session_id, call).duplicate is False
        check(server, session_id)
    assert restored(path).query_belief(session_id) == server.query_belief(session_id)


def test_a_write_in_pieces_is_one_line(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda file, data: write(file, bytes(data)[:7]))
    server, session_id = played(path)
    assert state(restored(path), session_id) == state(server, session_id)


def test_a_store_decides_what_is_restored(path: Path) -> None:
    store = Store()
    with FileAuditLog(path) as log:
        server = BeliefServer(store=store, audit_log=log)
        good, behind, gone = declared(server), declared(server), declared(server)
        for session_id in (good, behind, gone):
            send(server, session_id, ELIMINATE)
    store.sessions[behind][1].clear()
    del store.sessions[gone]
    with FileAuditLog(path) as log:
        again = BeliefServer(store=store, audit_log=log)
        details = refused("CONFLICT", restore_all, again, store, log)
        assert details == {"survive_only_in_store": ["a"], "survive_only_in_log": []}
        assert again.query_belief(good) == server.query_belief(good)
        for session_id in (behind, gone):
            refused("SESSION_NOT_FOUND", again.query_belief, session_id)
