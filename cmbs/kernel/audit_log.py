"""Where a server in this process keeps its events: lines in a file, on disk before a verb answers.

The lines of one session are what the audit route streams, so `cmbs.verify` reads them.
"""

import fcntl
import json
import os
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from cmbs.kernel.answers import AuditEntry
from cmbs.kernel.belief_server import BeliefServer
from cmbs.kernel.canonical import parse
from cmbs.kernel.shapes import uniform_uuid
from cmbs.spi.elimination_store import EliminationStore, RecoveredState, RemindedStore


class FileAuditLog:
    """Events of any number of sessions, in the order in which they happened.

    One process at a time. A line that a crash left unfinished is cut off when the file is opened:
    its verb never answered. Of a batch some messages may be there then, and sending it again
    completes it.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path).absolute()
        self._lock, self._size = Lock(), 0
        self._heads: dict[str, tuple[int, str]] = {}
        # By session: where its lines begin. One session is read without those of all others.
        self._places: dict[str, array[int]] = {}
        is_new = not self.path.exists()
        self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._read()
            os.ftruncate(self._file, self._size)
        except BlockingIOError:
            os.close(self._file)
            raise BlockingIOError(f"{self.path} is in use by another log") from None
        except BaseException:
            os.close(self._file)
            raise
        if is_new:
            _sync_folder(self.path.parent)

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> "FileAuditLog":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def extend(self, entries: list[AuditEntry], /) -> None:
        """Add events that continue their sessions; they are on disk when this returns."""
        with self._lock:
            if self._file < 0:
                raise ValueError(f"the log {self.path} is closed")
            heads = dict[str, tuple[int, str]]()
            for entry in entries:
                self._continue(heads, entry)
            lines = [_line(entry).encode() for entry in entries]
            try:
                _write(self._file, b"".join(lines))
                os.fsync(self._file)
            except BaseException:
                self._take_back()
                raise
            for entry, line in zip(entries, lines, strict=True):
                self._keep(entry.session_id, entry.seq, entry.event_hash, line)

    def adopt(self, entries: list[AuditEntry], /) -> None:
        """Add what is not there yet of the log of a session that is restored from elsewhere."""
        seq, event_hash = self._heads.get(entries[0].session_id, _BEFORE_ALL)
        if seq > len(entries) or (seq and entries[seq - 1].event_hash != event_hash):
            raise ValueError(f"{self.path} has another log of session {entries[0].session_id}")
        if seq < len(entries):
            self.extend(entries[seq:])

    def _take_back(self) -> None:
        """What may be there in part was never acknowledged. If it stays, nothing may follow it."""
        try:
            os.ftruncate(self._file, self._size)
        except OSError:
            self.close()

    def sessions(self) -> list[str]:
        """The ids of the sessions, in the order of their declares."""
        with self._lock:
            return list(self._heads)

    def lines(self, session_id: str) -> Iterator[str]:
        """The log of one session, each line with its end; `KeyError` for one that is not here."""
        with self._lock:
            offsets = self._places[uniform_uuid("session_id", session_id)][:]
        with self.path.open("rb") as file:
            for offset in offsets:
                file.seek(offset)
                yield file.readline().decode()

    def entries(self, session_id: str) -> list[AuditEntry]:
        return [_entry(line) for line in self.lines(session_id)]

    def _read(self) -> None:
        """Take in what is there, up to a line that has no end."""
        with self.path.open("rb") as file:
            for no, line in enumerate(file, start=1):
                if not line.endswith(b"\n"):
                    return
                try:
                    members = json.loads(line)
                    record = json.loads(members["record"])
                    self._keep(record["session_id"], record["seq"], members["event_hash"], line)
                except (KeyError, RecursionError, TypeError, ValueError):
                    raise ValueError(f"line {no} of {self.path} is no event") from None

    def _keep(self, session_id: str, seq: int, event_hash: str, line: bytes) -> None:
        self._heads[session_id] = seq, event_hash
        self._places.setdefault(session_id, array("Q")).append(self._size)
        self._size += len(line)

    def _continue(self, heads: dict[str, tuple[int, str]], entry: AuditEntry) -> None:
        seq, head = heads.get(entry.session_id) or self._heads.get(entry.session_id) or _BEFORE_ALL
        if (entry.seq, entry.prev_event_hash) != (seq + 1, head):
            raise ValueError(
                f"event {entry.seq} does not continue session {entry.session_id} in {self.path}, "
                f"which ends with event {seq}: was it restored?"
            )
        heads[entry.session_id] = entry.seq, entry.event_hash


_BEFORE_ALL = 0, "0" * 64


def restore_all(
    server: BeliefServer, store: EliminationStore | None, log: FileAuditLog
) -> list[str]:
    """Bring back every session of a log after a restart, and say which they are.

    Without a store the log alone tells what was eliminated. If some cannot be restored the others
    are, and the first error is raised at the end.
    """
    done: list[str] = []
    errors: list[Exception] = []
    for session_id in log.sessions():
        try:
            entries = log.entries(session_id)
            recovered = _recovered(store, session_id, entries)
            server.restore_session(session_id, recovered, entries)
            done.append(session_id)
        except Exception as error:
            error.add_note(f"session {session_id}")
            errors.append(error)
    if errors:
        errors[0].add_note(f"{len(done)} sessions were restored, {len(errors)} were not")
        raise errors[0]
    return done


def _recovered(
    store: EliminationStore | None, session_id: str, entries: Sequence[AuditEntry]
) -> RecoveredState:
    if store is None:
        return recovered_from(entries)
    declared = entries[0].payload.get("hypotheses")
    if isinstance(store, RemindedStore) and declared is not None:
        store.remember(session_id, declared)
    return store.recover(session_id)


def recovered_from(entries: Sequence[AuditEntry]) -> RecoveredState:
    """What a log alone tells of its session, as a store would tell it."""
    ids = frozenset[str](entries[0].payload.get("hypotheses", ()))
    gone = frozenset[str]().union(*(entry.delta["eliminated"] for entry in entries))
    return RecoveredState(ids, gone, ids - gone)


def _line(entry: AuditEntry) -> str:
    members: dict[str, Any] = {"event_hash": entry.event_hash, "record": entry.record()}
    if "hypotheses" in entry.payload:
        members["hypotheses"] = entry.payload["hypotheses"]
    return json.dumps(members, ensure_ascii=False) + "\n"


def _entry(line: str) -> AuditEntry:
    members = parse(line)
    return AuditEntry.from_record(
        members["record"], members["event_hash"], members.get("hypotheses")
    )


def _write(file: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(file, rest) :]


def _sync_folder(folder: Path) -> None:
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
