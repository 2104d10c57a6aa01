"""The hash chain of a session as a reader of it checks it: every text, every link."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any
from uuid import UUID

from cmbs.kernel.answers import AuditEntry
from cmbs.kernel.canonical import canonical, hash_text

# Whether an event says what the message said that it is to be the event of; if it was recorded just
# now (the second argument), that includes what is no part of the identity of a message.
Says = Callable[[AuditEntry, bool], bool]
_SEQ_BITS = (1 << 48) - 1
# The texts of records are canonical, and this is their shortest member.
_FORM = '{"v": 1, '


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
    survivors_hash: str
    # No answer tells it.
    ts: float = field(default=-math.inf, compare=False)

    @classmethod
    def of(cls, event: AuditEntry) -> "Head":
        after = event.survivors_after_hash
        return cls(event.seq, event.event_id, event.event_hash, after, event.ts)

    @classmethod
    def of_snapshot(cls, session_id: str, snapshot: Mapping[str, Any]) -> "Head":
        """The head that a snapshot names; ValueError or KeyError if it is none of the session."""
        seq, count = snapshot["audit_seq"], snapshot["n_survivors"]
        names = ("audit_head_event_id", "audit_head_hash", "survivors_hash")
        texts = [snapshot[name] for name in names]
        are_numbers = type(seq) is type(count) is int and seq >= 1
        if snapshot["session_id"] != session_id or not are_numbers:
            raise ValueError("the snapshot is of another session, or of none")
        if not all(isinstance(text, str) for text in texts):
            raise ValueError("the snapshot has no head")
        if "survivors" in snapshot and count != len(snapshot["survivors"]):
            raise ValueError("there are not so many survivors")
        return cls(seq, *texts)


# What event 1 follows.
BEFORE = Head(0, "", "0" * 64, "")


@dataclass(frozen=True)
class Claim:
    """An answer names the event of a message, and what came of it."""

    answer: Mapping[str, Any]
    says: Says
    # What followed from a message by itself is known by its event alone.
    is_answered: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.answer["duplicate"], bool):
            raise ValueError("a message is a repeat, or it is none")

    @property
    def event_id(self) -> str:
        return str(self.answer["audit_event_id"])

    @property
    def is_new(self) -> bool:
        return not self.answer["duplicate"]

    @property
    def seq(self) -> int:
        """Where the event stands in the log, as its id tells; ValueError if it is none."""
        return UUID(self.event_id).int & _SEQ_BITS

    def tells(self, event: AuditEntry) -> bool:
        """Whether what was answered came of the event."""
        if not self.is_answered:
            return True
        answer, payload, applied = self.answer, event.payload, event.delta["eliminated"]
        if event.verb == "ELIMINATE":
            ignored = sorted({*payload["eliminated"]} - {*applied})
            given = answer["applied_eliminated"], answer["ignored_eliminated"]
            return given == (applied, ignored)
        decision = ("approved", "accepted", "reason")
        return all(same(answer.get(name), payload.get(name)) for name in decision)


def same(one: object, other: object) -> bool:
    """Whether they are the same JSON."""
    return canonical(one) == canonical(other)


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


_NO_RECORD = (ValueError, TypeError, KeyError, AttributeError, RecursionError)


def check_line(session_id: str, seq: int, line: Line) -> AuditEntry:
    """The event of a line whose text has its hash."""
    try:
        is_whole = hash_text(line.record) == line.event_hash
        entry = line.entry()
    except _NO_RECORD:
        raise ChainBroken(session_id, seq, "the line holds no record") from None
    if not is_whole:
        raise ChainBroken(session_id, seq, "the record does not have this hash")
    if not line.record.startswith(_FORM):
        raise ChainBroken(session_id, seq, "the record is of a form that is not known")
    _require_number(session_id, seq, entry)
    if (line.hypotheses is not None) != (entry.seq == 1):
        raise ChainBroken(session_id, seq, "hypotheses belong to the first line, and no other")
    return _of_session(session_id, seq, entry)


def check_event(session_id: str, entry: AuditEntry) -> AuditEntry:
    """An event that came without its text."""
    _require_number(session_id, 0, entry)
    try:
        is_whole = hash_text(entry.record()) == entry.event_hash
    except _NO_RECORD:
        raise ChainBroken(session_id, entry.seq, "the event is none") from None
    if not is_whole:
        raise ChainBroken(session_id, entry.seq, "the record does not have this hash")
    return _of_session(session_id, entry.seq, entry)


def _require_number(session_id: str, seq: int, entry: AuditEntry) -> None:
    """The number of an event counts from 1, and is the end of its id."""
    if type(entry.seq) is not int or entry.seq < 1:
        raise ChainBroken(session_id, seq, "the event has no number")
    try:
        event_id = UUID(entry.event_id)
    except (ValueError, TypeError, AttributeError):
        raise ChainBroken(session_id, entry.seq, "the event has no id") from None
    if str(event_id) != entry.event_id or event_id.int & _SEQ_BITS != entry.seq:
        raise ChainBroken(session_id, entry.seq, "the id of the event is of another number")


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
    except _NO_RECORD:
        return False


def follow(session_id: str, head: Head, entry: AuditEntry) -> Head:
    """The head after a checked event, which must follow this one."""
    if entry.seq != head.seq + 1:
        raise ChainBroken(session_id, head.seq + 1, f"event {entry.seq} follows event {head.seq}")
    if entry.prev_event_hash != head.event_hash:
        raise ChainBroken(session_id, entry.seq, "the event does not follow the one before")
    if head.seq and entry.survivors_before_hash != head.survivors_hash:
        raise ChainBroken(session_id, entry.seq, "the survivors before are not those that were")
    if entry.ts < head.ts:
        raise ChainBroken(session_id, entry.seq, "the event is earlier than the one before")
    return Head.of(entry)


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
        # What one message has added ends with the head of its answer.
        for n, claim in enumerate(reversed([claim for claim in claims if claim.is_new])):
            if claim.seq != heads[0].seq - n:
                self._fail(claim.seq, "the event is answered as new, and is not")
        self.begins = min([*self._claims, *(head.seq for head in heads)])
        # The event to begin with, if that is not the one after what is known.
        self.earlier: str | None = None
        if known and (self.begins < known.seq or known.seq in self._claims):
            first = self._claims.get(self.begins)
            self.earlier = first[0].event_id if first else self._heads[self.begins].event_id

    def meet(self, entry: AuditEntry, head: Head) -> None:
        """Hold an event against what is expected of it."""
        self._require(self._heads.get(head.seq, head), head)
        if head.seq == self.end.seq:
            self.end = head
        for claim in self._claims.get(head.seq, ()):
            if claim.event_id != entry.event_id:
                self._fail(head.seq, "the event that was answered is not in the log")
            if not _holds(claim.says, entry, claim.is_new):
                self._fail(head.seq, "the event does not say what was sent")
            if not _holds(claim.tells, entry):
                self._fail(head.seq, "the answer is not what came of the event")

    def _require(self, expected: Head, found: Head) -> None:
        if expected != found:
            self._fail(found.seq, "the event is not the one that was there before")

    def _fail(self, seq: int, reason: str) -> None:
        raise ChainBroken(self.session_id, seq, reason)


def _holds(is_so: Callable[..., bool], *given: object) -> bool:
    try:
        return is_so(*given)
    except _NO_RECORD:
        # The event has not even the form of what was sent.
        return False
