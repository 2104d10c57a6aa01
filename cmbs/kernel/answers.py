"""What a belief server takes and answers: the same in this process, over HTTP and from SQL."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from uuid import UUID

from cmbs.kernel.canonical import canonical, parse
from cmbs.kernel.refusal import Refusal

# What callers and logs fill as they like.
FreeObject = Mapping[str, Any]
SessionId = str | UUID
# The head that a caller has seen last, or several of which one must be it; "*" is any.
ExpectedHead = str | UUID | Iterable[str | UUID] | None


class BeliefServerError(Refusal):
    """A verb refused the call; nothing was changed.

    `code` is one of the protocol (`SESSION_NOT_FOUND`), `message` a constant sentence, and
    `details` holds the values that belong to it.
    """

    code: str
    message: str
    details: FreeObject | None

    def __init__(self, code: str, message: str, details: FreeObject | None = None) -> None:
        super().__init__(code, message, details)
        self.code, self.message, self.details = code, message, details

    def __str__(self) -> str:
        return f"{self.code}: {self.message}" + (f" {dict(self.details)}" if self.details else "")


@dataclass(frozen=True)
class OntologyBundle:
    """What the hypotheses of a session are; kept for ever and never interpreted."""

    hypothesis_space_id: str
    hypothesis_version: str
    causal_graph_ref: str
    causal_graph_version: str

    def to_dict(self) -> dict[str, str]:
        return asdict(self)


@dataclass(frozen=True)
class SessionPolicy:
    """Chosen when a session is declared, and never changed."""

    validate_hypotheses: bool = False
    allow_forced_termination: bool = False
    stability_window: int = 0


@dataclass(frozen=True)
class ActiveObligation:
    obligation_id: str
    min_total_eliminations: int
    eliminated_since_entry: int
    satisfiable: bool


@dataclass(eq=False, repr=False)
class BeliefSnapshot:
    """A session as it stands after one event.

    Servers fill in everything; whoever makes one by hand may leave out what follows the head. The
    list of survivors is made when it is first read, so that no verb has to.
    """

    session_id: str
    ontology: OntologyBundle
    survivors: list[str]
    terminated: bool
    active_obligation_id: str | None
    audit_head_event_id: str
    n_hypotheses: int | None = None
    audit_head_hash: str | None = None
    audit_seq: int | None = None
    survivors_hash: str | None = None
    policy: SessionPolicy | None = None
    active_obligation: ActiveObligation | None = None
    owner: str | None = None
    declared_at: str | None = None
    audit_head_at: str | None = None

    @classmethod
    def counted(
        cls, n_survivors: int, read: Callable[[], list[str]], members: dict[str, Any]
    ) -> "BeliefSnapshot":
        """One that knows how many survivors there are, and reads which when it is asked."""
        snapshot = cls.__new__(cls)
        snapshot.__dict__ = members
        members["_n_survivors"], members["_read"] = n_survivors, read
        return snapshot

    @classmethod
    def from_dict(cls, members: Mapping[str, Any]) -> "BeliefSnapshot":
        """The snapshot of an answer over HTTP or from SQL.

        One that was asked for without its survivors knows how many there are, not which.
        """
        given: dict[str, Any] = {field.name: members.get(field.name) for field in fields(cls)}
        given["ontology"] = _known(OntologyBundle, members["ontology"])
        if members.get("policy"):
            given["policy"] = _known(SessionPolicy, members["policy"])
        if members.get("active_obligation"):
            given["active_obligation"] = _known(ActiveObligation, members["active_obligation"])
        if "survivors" in members:
            return cls(**given)
        del given["survivors"]
        return cls.counted(members["n_survivors"], _not_asked_for, given)

    # Whoever checks types is not to take a misspelt member for this.
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> list[str]:
            if name != "survivors" or "_read" not in self.__dict__:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            self.survivors = survivors = self._read()
            return survivors

    def __repr__(self) -> str:
        known = (field.name for field in fields(self) if hasattr(self, field.name))
        return f"BeliefSnapshot({', '.join(f'{name}={getattr(self, name)!r}' for name in known)})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BeliefSnapshot):
            return NotImplemented
        mine, theirs = self.to_dict(), other.to_dict()
        # One that was made by hand knows less, and its head says the rest.
        return all(mine[name] == theirs[name] for name in mine.keys() & theirs.keys())

    @property
    def n_survivors(self) -> int:
        known = self.__dict__.get("survivors")
        return self.__dict__["_n_survivors"] if known is None else len(known)

    @property
    def entropy_proxy(self) -> float:
        """log2 of the number of survivors; 0 for none or one."""
        return math.log2(self.n_survivors) if self.n_survivors > 1 else 0.0

    @property
    def is_contradicted(self) -> bool:
        """No hypothesis is left: the universe, or some evidence, was wrong."""
        return self.n_survivors == 0

    def to_dict(self) -> dict[str, Any]:
        """The members that the protocol gives a snapshot, without those that are not known."""
        members: dict[str, Any] = {
            "session_id": self.session_id,
            "ontology": self.ontology.to_dict(),
            "n_survivors": self.n_survivors,
            "entropy_proxy": self.entropy_proxy,
            "is_contradicted": self.is_contradicted,
            "terminated": self.terminated,
            "active_obligation_id": self.active_obligation_id,
            "audit_head_event_id": self.audit_head_event_id,
        }
        if self.__dict__.get("_read") is not _not_asked_for:
            members["survivors"] = list(self.survivors)
        if self.policy is not None:
            obligation = self.active_obligation
            members |= {
                "n_hypotheses": self.n_hypotheses,
                "audit_head_hash": self.audit_head_hash,
                "audit_seq": self.audit_seq,
                "survivors_hash": self.survivors_hash,
                "policy": asdict(self.policy),
                "active_obligation": obligation and asdict(obligation),
                "owner": self.owner,
                "declared_at": self.declared_at,
                "audit_head_at": self.audit_head_at,
            }
        return members


Part = TypeVar("Part", OntologyBundle, SessionPolicy, ActiveObligation)


def _known(kind: type[Part], members: Mapping[str, Any]) -> Part:
    """The members that the kind has; a newer server may tell more."""
    return kind(**{one.name: members[one.name] for one in fields(kind) if one.name in members})


def _not_asked_for() -> list[str]:
    raise AttributeError("the snapshot was asked for without survivors; query_belief() has them")


_MICROSECOND = timedelta(microseconds=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def timestamp_text(ts: float) -> str:
    """A time as records hold it: UTC, to the microsecond."""
    return datetime.fromtimestamp(ts, UTC).isoformat(timespec="microseconds")[:26] + "Z"


def timestamp(text: str) -> float:
    """Seconds since 1970; until the year 2242 no microsecond is lost."""
    return (datetime.fromisoformat(text) - _EPOCH) // _MICROSECOND / 1e6


@dataclass
class AuditEntry:
    """One event of a session's log. `ts` is seconds since 1970."""

    event_id: str
    ts: float
    verb: str
    payload: dict[str, Any]
    survivors_before_hash: str
    survivors_after_hash: str
    delta: dict[str, list[str]]
    notes: str | None = None
    seq: int = 0
    actor: str = ""
    prev_event_hash: str = ""
    event_hash: str = ""
    session_id: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The event as the audit route shows it: its record's members, and `event_hash`.

        That of a declare shows the hypotheses in its payload; they are not part of the record.
        """
        members = asdict(self) | {"v": 1, "ts": timestamp_text(self.ts)}
        if self.notes is None:
            del members["notes"]
        return members

    def record(self) -> str:
        """The text that `event_hash` is the SHA-256 of."""
        members = self.to_dict()
        del members["event_hash"]
        if self.seq == 1:
            members["payload"].pop("hypotheses", None)
        return canonical(members)

    @classmethod
    def from_dict(cls, members: Mapping[str, Any]) -> "AuditEntry":
        """An event of the audit route, or the members of a record."""
        given = {field.name: members[field.name] for field in fields(cls) if field.name in members}
        return cls(**given | {"ts": timestamp(members["ts"])})

    @classmethod
    def from_record(
        cls, record: str, event_hash: str, hypotheses: Sequence[str] | None = None
    ) -> "AuditEntry":
        """An event from its exact text; for event 1, with the hypotheses of the session."""
        entry = cls.from_dict(parse(record))
        entry.event_hash = event_hash
        if hypotheses is not None:
            entry.payload["hypotheses"] = list(hypotheses)
        return entry


# Answers are tuples, so that they can be taken apart where they arrive, and say one thing more:
# whether the message had been recorded before.


class _Answer:
    duplicate = False


Kind = TypeVar("Kind", bound=_Answer)


def repeated(answer: Kind, duplicate: bool = True) -> Kind:
    answer.duplicate = duplicate
    return answer


class _Declared(NamedTuple):
    session_id: str
    snapshot: BeliefSnapshot


class Declared(_Declared, _Answer):
    """What DECLARE_SESSION answers."""


class _Eliminated(NamedTuple):
    applied: list[str]
    ignored: list[str]
    snapshot: BeliefSnapshot
    event_id: str


class Eliminated(_Eliminated, _Answer):
    """What ELIMINATE answers: which hypotheses it eliminated, and which were gone or unknown."""


class _Entered(NamedTuple):
    snapshot: BeliefSnapshot
    event_id: str


class Entered(_Entered, _Answer):
    """What ENTER_OBLIGATION answers."""


class _Decision(NamedTuple):
    approved: bool
    reason: str
    snapshot: BeliefSnapshot
    event_id: str


class Decision(_Decision, _Answer):
    """What the gates answer: exit, waiver, conclusion, termination. A denial is an answer."""


class _Observed(NamedTuple):
    applied: list[str]
    ignored: list[str]
    event_id: str


class Observed(_Observed, _Answer):
    """What one message of a batch did."""


class _Batch(NamedTuple):
    results: list[Observed]
    snapshot: BeliefSnapshot
    event_id: str


class Batch(_Batch, _Answer):
    """What a batch of ELIMINATE messages answers, in their order."""
