"""A process that logs and is killed, or finds the disk full: nothing acknowledged is lost."""

import errno
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cmbs.audit_log import FileAuditLog, restore_all
from cmbs.belief_server import BeliefServer
from tests.library.kit import check
from tests.support.servers import ROOT
from tests.support.sizes import size

ROUNDS = size(4, 8)


@contextmanager
def writer(*arguments: object) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "tests.library.writer", *map(str, arguments)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def test_what_was_acknowledged_outlives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "audit.ndjson"
    acknowledged: dict[str, list[str]] = {}
    for no in range(ROUNDS):
        is_torn = no % 2
        with writer(*("torn", path, 2 + 3 * no) if is_torn else ("killed", path)) as process:
            assert process.stdout
            said = [] if is_torn else [process.stdout.readline() for _ in range(20 + 7 * no)]
            if not is_torn:
                process.kill()
            said += process.stdout
            process.wait()
        assert process.returncode == -signal.SIGKILL
        assert not is_torn or not path.read_bytes().endswith(b"\n")
        for line in said:
            session_id, event_id = line.split()
            acknowledged.setdefault(session_id, []).append(event_id)
        with FileAuditLog(path) as log:
            server = BeliefServer(audit_log=log)
            assert {*restore_all(server, None, log)} >= acknowledged.keys()
        for session_id, event_ids in acknowledged.items():
            found = [entry.event_id for entry in server.audit_trace(session_id)]
            assert [one for one in found if one in event_ids] == event_ids
            # Of what was under way when it was killed, one message or one batch may be there.
            assert len(found) - len(event_ids) - 1 in range(3)
    assert len(acknowledged) == 2 * ROUNDS
    for session_id in acknowledged:
        check(server, session_id)


def test_a_disk_that_is_really_full(tmp_path: Path) -> None:
    path = tmp_path / "audit.ndjson"
    with writer("full", path, 20_000) as process:
        assert process.stdout
        *acknowledged, last = process.stdout.read().splitlines()
        process.wait()
    assert process.returncode == 0
    assert last == f"{errno.EFBIG} {path.stat().st_size}"
    assert len(acknowledged) > 5
    with FileAuditLog(path) as log:
        server = BeliefServer(audit_log=log)
        (session_id,) = restore_all(server, None, log)
        assert [entry.event_id for entry in server.audit_trace(session_id)[1:]] == acknowledged
        server.declare_conclusion(session_id, "there is room again")
        check(server, session_id)
