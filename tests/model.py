"""The belief protocol once more, in plain Python with nothing of cmbs in it: what the kernel is
compared with. Every verb takes the arguments of its stored procedure, JSON as text, and returns the
answer or raises `Refused`. What no model can know (ids and times of events, who calls) comes from
`stamp`.
"""

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any
from uuid import UUID

Json = dict[str, Any]
# session id and seq of an event -> its id, its ts, its actor
Stamp = Callable[[UUID, int], tuple[str, str, str]]

ONTOLOGY = {
    "hypothesis_space_id",
    "hypothesis_version",
    "causal_graph_ref",
    "causal_graph_version",
}
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f"}
_ESCAPES |= {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


class Refused(Exception):
    """The call is refused with this SQLSTATE; the details hold at least these."""

    def __init__(self, state: str, **details: Any) -> None:
        super().__init__(state, details)
        self.state, self.details = state, details


def canonical(value: Any) -> str:
    """The text that is hashed: keys by length, then bytes; numbers plain, with their digits."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case Decimal():
            return _number(value)
        case str():
            return '"' + "".join(map(_character, value)) + '"'
        case dict():
            members = sorted(value.items(), key=lambda m: (len(m[0].encode()), m[0].encode()))
            return "{" + ", ".join(f"{canonical(k)}: {canonical(v)}" for k, v in members) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(canonical, value)) + "]"
    raise TypeError(f"{type(value)} has no canonical text")


def _number(value: Decimal) -> str:
    if not value:
        places = -int(value.as_tuple().exponent)
        return "0." + "0" * places if places > 0 else "0"
    return format(value, "f")


def _character(character: str) -> str:
    if character < " ":
        return _ESCAPES.get(character, f"\\u{ord(character):04x}")
    return _ESCAPES.get(character, character)


def parse(text: str) -> Any:
    """JSON with every number as a decimal of the digits it was written with."""
    try:
        return json.loads(
            text,
            parse_int=Decimal,
            parse_float=Decimal,
            parse_constant=_no_constant,
            object_pairs_hook=_members,
        )
    except json.JSONDecodeError:
        raise Refused("MB201") from None


def _no_constant(name: str) -> None:
    raise Refused("MB201")


def _members(pairs: list[tuple[str, Any]]) -> Json:
    if len(dict(pairs)) < len(pairs):
        raise Refused("MB201")
    return dict(pairs)


def hash_text(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class Universe:
    """A set of hypotheses, and the hash of any part of it."""

    def __init__(self, hypotheses: Iterable[str]) -> None:
        # Order is byte order, which equals Python's order of code points.
        self.ids = sorted(set(hypotheses))
        self.ranks = {hypothesis: rank for rank, hypothesis in enumerate(self.ids)}
        self.digest = hash_text(canonical(self.ids))

    def mask(self, survivors: Iterable[str]) -> bytes:
        bits = bytearray((len(self.ids) + 7) // 8)
        for hypothesis in survivors:
            rank = self.ranks[hypothesis]
            bits[rank // 8] |= 1 << rank % 8
        return bytes(bits)

    def survivors_hash(self, survivors: Iterable[str]) -> str:
        return hashlib.sha256(bytes.fromhex(self.digest) + self.mask(survivors)).hexdigest()


@dataclass
class Event:
    record: Json
    text: str
    hash: str
    snapshot: Json

    @property
    def id(self) -> str:
        return str(self.record["event_id"])

    @property
    def payload(self) -> Json:
        return dict(self.record["payload"])


@dataclass
class Session:
    session_id: UUID
    ontology: Json
    universe: Universe
    policy: Json
    as_sent: str
    survivors: set[str]
    events: list[Event] = field(default_factory=list)
    observations: dict[tuple[str, str], Event] = field(default_factory=dict)
    requests: dict[str, Event] = field(default_factory=dict)
    eliminated_by: dict[str, Event] = field(default_factory=dict)
    obligations: list[Json] = field(default_factory=list)
    active: Json | None = None
    conclusions: list[Json] = field(default_factory=list)
    terminated: bool = False

    @property
    def head(self) -> Event:
        return self.events[-1]

    def copy(self) -> "Session":
        return replace(
            self,
            events=[*self.events],
            observations={**self.observations},
            eliminated_by={**self.eliminated_by},
        )

    def is_stable(self) -> bool:
        window = int(self.policy["stability_window"])
        accepted = [c["conclusion_id"] for c in self.conclusions if c["accepted"]]
        return window == 0 or (
            len(accepted) >= window and len(set(accepted[len(accepted) - window :])) == 1
        )

    def snapshot(self, event_id: str, event_hash: str, seq: int) -> Json:
        count = len(self.survivors)
        active = None
        if self.active:
            minimum, at_entry = self.active["min_total_eliminations"], self.active["at_entry"]
            active = {
                "obligation_id": self.active["obligation_id"],
                "min_total_eliminations": minimum,
                "eliminated_since_entry": at_entry - count,
                "satisfiable": minimum <= at_entry,
            }
        return {
            "session_id": str(self.session_id),
            "ontology": self.ontology,
            "survivors": sorted(self.survivors),
            "n_survivors": count,
            "n_hypotheses": len(self.universe.ids),
            "entropy_proxy": math.log2(count) if count > 1 else 0,
            "terminated": self.terminated,
            "active_obligation_id": active and active["obligation_id"],
            "active_obligation": active,
            "policy": self.policy,
            "survivors_hash": self.universe.survivors_hash(self.survivors),
            "audit_seq": seq,
            "audit_head_event_id": event_id,
            "audit_head_hash": event_hash,
        }


def check_id(value: str | None, limit: int = 512) -> str:
    if value is None or not 1 <= len(value.encode()) <= limit:
        raise Refused("MB201")
    return value


def check_ids(values: Sequence[str | None] | None) -> list[str]:
    if values is None:
        raise Refused("MB201")
    return [check_id(value) for value in values]


def check_notes(notes: str | None) -> None:
    if notes is not None and len(notes.encode()) > 4096:
        raise Refused("MB203")


def free_object(text: str | None) -> Json | None:
    if text is None:
        return None
    value = parse(text)
    if not isinstance(value, dict):
        raise Refused("MB201")
    _check_reserved(value)
    return value


def _check_reserved(value: Any) -> None:
    if isinstance(value, dict):
        if "$redactable" in value:
            raise Refused("MB201")
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            _check_reserved(one)


def termination_reason(session: Session, force: bool) -> str:
    single = len(session.survivors) == 1
    if session.active:
        return "active obligation blocks termination"
    if force and session.policy["allow_forced_termination"]:
        return "approved by force"
    if single and session.is_stable():
        return "approved"
    if single and not force:
        return "conclusion not stable"
    if force:
        return "force not allowed by policy"
    return "termination requires a singleton survivor"
