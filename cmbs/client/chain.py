"""The hash chain of a session as a reader of it checks it: every text, every link."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any
from uuid import UUID

from cmbs.answers import AuditEntry
from cmbs.canonical import canonical, hash_text

# Whether an event says what the message said that it is to be the event of.
Says = Callable[[AuditEntry], bool]
_SEQ_BITS = (1 << 48) - 1


class ChainBroken(Exception):
    """The server's log is not one chain, or not that of which an earlier answer was a part.

    `seq` is the number of the event at which it shows.
    """

    def __init__(self, session_id: str, seq: int, reason: str) -> None:
        super().__init__(session_id, seq, reason)
        self.session_id, self.seq, self.reason = session_id, seq, reason

    def __str__(self) -> str:
        return f"session {self.session_id}, event {self.seq}: {self.reason}"


@dataclass(frozen=True)
class Head:
    """An event as the one after it knows it."""

    seq: int
    event_id: str
    event_hash: str


# What event 1 follows.
BEFORE = Head(0, "", "0" * 64)


@dataclass(frozen=True)
class Claim:
    """The answer names the event of a message."""

    event_id: str
    says: Says

    @property
    def seq(self) -> int:
        """Where the event stands in the log, as its id tells; ValueError if it is none."""
        return UUID(self.event_id).int & _SEQ_BITS


@dataclass(frozen=True)
class Line:
    """A line of the log as the server sent it."""

    record: str
    event_hash: str
    hypotheses: list[str] | None

    @classmethod
    def from_dict(cls, members: Mapping[str, Any]) -> "Line":
        return cls(members["record"], members["event_hash"], members.get("hypotheses"))

    def entry(self) -> AuditEntry:
        return AuditEntry.from_record(self.record, self.event_hash, self.hypotheses)


class Ledger:
    """The last event of each session that was found in its chain. For many threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._heads: dict[str, Head] = {}

    def head(self, session_id: str) -> Head | None:
        return self._heads.get(session_id)

    def move(self, session_id: str, known: Head | None, head: Head) -> bool:
        """Go on to a head that was proven from the known one; False if that is no longer it."""
        with self._lock:
            if self._heads.get(session_id) != known:
                return False
            if known is None or head.seq > known.seq:
                self._heads[session_id] = head
            return True


def check_line(session_id: str, seq: int, line: Line) -> AuditEntry:
    """The event of a line whose text has its hash."""
    try:
        is_whole = hash_text(line.record) == line.event_hash
        entry = line.entry()
    except (ValueError, TypeError, KeyError, AttributeError):
        raise ChainBroken(session_id, seq, "the line holds no record") from None
    if not is_whole:
        raise ChainBroken(session_id, seq, "the record does not have this hash")
    if (line.hypotheses is not None) != (entry.seq == 1):
        raise ChainBroken(session_id, seq, "hypotheses belong to the first line, and no other")
    return _of_session(session_id, seq, entry)


def check_event(session_id: str, entry: AuditEntry) -> AuditEntry:
    """An event that came without its text."""
    try:
        is_whole = hash_text(entry.record()) == entry.event_hash
    except (ValueError, TypeError):
        raise ChainBroken(session_id, entry.seq, "the event is none") from None
    if not is_whole:
        raise ChainBroken(session_id, entry.seq, "the record does not have this hash")
    return _of_session(session_id, entry.seq, entry)


def _of_session(session_id: str, seq: int, entry: AuditEntry) -> AuditEntry:
    if entry.session_id != session_id:
        raise ChainBroken(session_id, seq, "the event is of another session")
    if entry.seq == 1 and not _has_its_hypotheses(entry):
        raise ChainBroken(session_id, seq, "the hypotheses are not those that were declared")
    return entry


def _has_its_hypotheses(entry: AuditEntry) -> bool:
    """They are shown with the event and are not part of its record, but their digest is."""
    try:
        hypotheses, digest = entry.payload["hypotheses"], entry.payload["universe_digest"]
        return bool(hash_text(canonical(hypotheses)) == digest)
    except (KeyError, TypeError, ValueError):
        return False


def follow(session_id: str, head: Head, entry: AuditEntry) -> Head:
    """The head after a checked event, which must follow this one."""
    if entry.seq != head.seq + 1:
        raise ChainBroken(session_id, head.seq + 1, f"event {entry.seq} follows event {head.seq}")
    if entry.prev_event_hash != head.event_hash:
        raise ChainBroken(session_id, entry.seq, "the event does not follow the one before")
    return Head(entry.seq, entry.event_id, entry.event_hash)


class Expected:
    """What is known or claimed of a stretch of a log, and checked off as it is read."""

    def __init__(
        self, session_id: str, known: Head | None, heads: list[Head], claims: list[Claim]
    ) -> None:
        self.session_id, self.known = session_id, known
        self._heads: dict[int, Head] = {}
        for head in [*([known] if known else []), *heads]:
            self._require(self._heads.setdefault(head.seq, head), head)
        self._claims: dict[int, list[Claim]] = {}
        self.end = self._heads[max(self._heads)]
        for claim in claims:
            try:
                seq = claim.seq
            except ValueError:
                raise ChainBroken(session_id, self.end.seq, "the answer names no event") from None
            if not 1 <= seq <= self.end.seq:
                raise ChainBroken(session_id, seq, "the event is after the head of the answer")
            self._claims.setdefault(seq, []).append(claim)
        self.begins = min([*self._claims, *(head.seq for head in heads)])
        # The event to begin with, if that is not the one after what is known.
        self.earlier: str | None = None
        if known and (self.begins < known.seq or known.seq in self._claims):
            first = self._claims.get(self.begins)
            self.earlier = first[0].event_id if first else self._heads[self.begins].event_id

    def meet(self, entry: AuditEntry, head: Head) -> None:
        """Hold an event against what is expected of it."""
        self._require(self._heads.get(head.seq, head), head)
        for claim in self._claims.get(head.seq, ()):
            if claim.event_id != entry.event_id:
                self._fail(head.seq, "the event that was answered is not in the log")
            if not _says(claim, entry):
                self._fail(head.seq, "the event does not say what was sent")

    def _require(self, expected: Head, found: Head) -> None:
        if expected != found:
            self._fail(found.seq, "the event is not the one that was there before")

    def _fail(self, seq: int, reason: str) -> None:
        raise ChainBroken(self.session_id, seq, reason)


def _says(claim: Claim, entry: AuditEntry) -> bool:
    try:
        return claim.says(entry)
    except (KeyError, TypeError, AttributeError):
        # Its payload has not even the form of what was sent.
        return False
