"""The hash-chained log of a session in this process."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple
from uuid import UUID

from cmbs.kernel import shapes
from cmbs.kernel.answers import AuditEntry, BeliefServerError, timestamp_text
from cmbs.kernel.canonical import hash_text, parse, quoted
from cmbs.kernel.universe import Universe

# seq and time of the event before -> id, time and actor of the next
Stamp = Callable[[int, float], tuple[str, float, str]]


class Event(NamedTuple):
    seq: int
    event_id: str
    ts: float
    survivors_hash: str
    record: str
    event_hash: str


def ids_text(ids: Sequence[str]) -> str:
    return "[" + ", ".join(map(quoted, ids)) + "]"


def seq_of(event_id: str) -> int:
    """The low 48 bits of an event's id; 0 for what is none."""
    try:
        return UUID(event_id).int & (1 << 48) - 1
    except ValueError:
        return 0


class Log:
    """Events, and which message each of them records. It is only ever added to."""

    def __init__(self, session_id: str, universe: Universe, stamp: Stamp) -> None:
        self.session_id, self.universe, self.stamp = session_id, universe, stamp
        self.events: list[Event] = []
        # By identity of a message: the seq of its event.
        self.observations: dict[tuple[str, str], int] = {}
        self.requests: dict[str, int] = {}
        nothing = universe.survivors_hash(universe.no_mask)
        self._before_all = Event(0, "", 0.0, nothing, "", "0" * 64)

    @property
    def head(self) -> Event:
        return self.events[-1] if self.events else self._before_all

    @cached_property
    def owner(self) -> str:
        """Who declared the session."""
        return str(parse(self.events[0].record)["actor"])

    def next_event(
        self,
        previous: Event,
        verb: str,
        payload: str,
        notes: str | None,
        after_hash: str,
        eliminated: Sequence[str] = (),
    ) -> Event:
        """The event that would follow, its members in the order of canonical text."""
        seq = previous.seq + 1
        event_id, ts, actor = self.stamp(seq, previous.ts)
        noted = "" if notes is None else f', "notes": {quoted(notes)}'
        record = (
            f'{{"v": 1, "ts": "{timestamp_text(ts)}", "seq": {seq}, "verb": "{verb}", '
            f'"actor": {quoted(actor)}, "delta": {{"eliminated": {ids_text(eliminated)}}}{noted}, '
            f'"payload": {payload}, "event_id": "{event_id}", "session_id": "{self.session_id}", '
            f'"prev_event_hash": "{previous.event_hash}", "survivors_after_hash": "{after_hash}", '
            f'"survivors_before_hash": "{previous.survivors_hash}"}}'
        )
        return Event(seq, event_id, ts, after_hash, record, hash_text(record))

    def entry(self, event: Event) -> AuditEntry:
        hypotheses = self.universe.ids if event.seq == 1 else None
        return AuditEntry.from_record(event.record, event.event_hash, hypotheses)

    def since(self, event_id: str | UUID | None) -> list[Event]:
        """The events after the given one."""
        if event_id is None:
            return self.events[:]
        event_id = shapes.uniform_uuid("since_event_id", event_id)
        seq = seq_of(event_id)
        if not 1 <= seq <= len(self.events) or self.events[seq - 1].event_id != event_id:
            raise BeliefServerError(
                "EVENT_NOT_FOUND",
                "There is no such event in this session.",
                {"session_id": self.session_id, "event_id": event_id},
            )
        return self.events[seq:]
