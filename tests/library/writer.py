"""Writes to a log and says what was acknowledged, until it is killed or the disk is full.

`python -m … killed PATH`, `torn PATH WRITES` or `full PATH SIZE`.
"""

import itertools
import os
import resource
import signal
import sys
from threading import Thread
from typing import Any

from cmbs.audit_log import FileAuditLog, restore_all
from cmbs.belief_server import BeliefServer
from tests.library.kit import ONTOLOGY

JUSTIFICATION = {"why": "é" * 50_000}


def say(text: str) -> None:
    # One write a line: what a killed process had said is whole.
    os.write(1, f"{text}\n".encode())


def work(server: BeliefServer, session_id: str) -> None:
    no = 0
    while True:
        no += 1
        one, other = f"{session_id} {no}", {"source_id": "b", "observation_id": f"{no}"}
        answer = server.eliminate(session_id, "s", one, [f"{no % 1000}"], JUSTIFICATION)
        say(f"{session_id} {answer.event_id}")
        batch = [other | {"eliminated": [f"{no * 7 % 1000}"]}, other | {"source_id": "c"}]
        batch[1] |= {"eliminated": []}
        for result in server.eliminate_batch(session_id, batch).results:
            say(f"{session_id} {result.event_id}")


def until_it_is_killed(path: str) -> None:
    with FileAuditLog(path) as log:
        server = BeliefServer(audit_log=log)
        restore_all(server, None, log)
        threads = []
        for _ in range(2):
            session_id = server.declare_session(ONTOLOGY, map(str, range(1000))).session_id
            threads.append(Thread(target=work, args=(server, session_id)))
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def until_a_line_is_torn(path: str, writes: int) -> None:
    """Kills itself within a character, with half of a line in the file."""
    write, left = os.write, itertools.count(writes, -1)

    def torn(file: int, data: Any) -> int:
        middle = bytes(data).find("é".encode(), len(data) // 3)
        if middle < 0 or next(left):
            return write(file, data)
        write(file, data[: middle + 1])
        os.kill(os.getpid(), signal.SIGKILL)
        return 0

    os.write = torn
    until_it_is_killed(path)


def until_the_disk_is_full(path: str, size: int) -> None:
    """Says what was acknowledged, and what the log held when there was no room left."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    with FileAuditLog(path) as log:
        server = BeliefServer(audit_log=log)
        session_id = server.declare_session(ONTOLOGY, ["a", "b"]).session_id
        try:
            while True:
                say(server.declare_conclusion(session_id, "c", {"k": "x" * 999}).event_id)
        except OSError as error:
            say(f"{error.errno} {os.stat(path).st_size}")
        assert server.query_belief(session_id).audit_head_event_id


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["killed", path]:
            until_it_is_killed(path)
        case ["torn", path, writes]:
            until_a_line_is_torn(path, int(writes))
        case ["full", path, size]:
            until_the_disk_is_full(path, int(size))
