"""The log of one session, replayed line by line."""

import math
from typing import Any

from cmbs.verify.arbitration import Arbitration
from cmbs.verify.errors import Fault, Unreadable, sentence
from cmbs.verify.gates import Gates
from cmbs.verify.payloads import ARBITRATION
from cmbs.verify.policies import Contents
from cmbs.verify.records import Event, follows, read_line, read_plain
from cmbs.verify.shapes import TIME_FORM
from cmbs.verify.state import At
from cmbs.verify.universe import Universe

_ZEROS = "0" * 64


class Log:
    """Replays the log of one session, line by line, up to the first fault."""

    def __init__(
        self,
        universe: Universe | None = None,
        session_id: str | None = None,
        bundle: Contents | None = None,
    ) -> None:
        self.universe, self.session_id = universe, session_id
        self.arbitration = Arbitration(bundle)
        self.seq, self.head_hash, self.head_event_id, self.ts = 0, _ZEROS, "", ""
        self.owner, self.declared_at = "", ""
        self.n_survivors, self.survivors_hash = 0, ""
        self.ontology: dict[str, str] = {}
        self.policy: dict[str, Any] = {}
        self._gates = Gates()
        self._mask = bytearray()

        # A set of all identities would be most of the memory, so their hashes stand for them. Two
        # identities of one hash (one in 10^7 logs of a million events) would be taken for a repeat.
        self._observations: set[int] = set()
        self._requests: set[int] = set()

    @property
    def terminated(self) -> bool:
        return self._gates.is_terminated

    def feed(self, line: bytes) -> Event:
        """Verify the next line, with or without the newline at its end."""
        if line[-1:] == b"\n":
            line = line[:-1]
        if event := self._feed_plain(line):
            return event
        try:
            return self._feed_any(line)
        except (Unreadable, ValueError) as error:
            reason = sentence(error) if isinstance(error, ValueError) else str(error)
            raise Fault(self.seq + 1, reason) from None

    def finish(self) -> None:
        if not self.seq:
            raise Fault(1, "the log has no events")

    def snapshot(self) -> dict[str, Any]:
        """The session after the last event, as QUERY_BELIEF shows it."""
        assert self.universe is not None
        active = self._gates.active(self.n_survivors)
        return {
            "session_id": self.session_id,
            "owner": self.owner,
            "declared_at": self.declared_at,
            "ontology": self.ontology,
            "survivors": self.universe.survivors(self._mask),
            "n_survivors": self.n_survivors,
            "n_hypotheses": len(self.universe.ids),
            "entropy_proxy": math.log2(self.n_survivors) if self.n_survivors > 1 else 0,
            "is_contradicted": self.n_survivors == 0,
            "terminated": self.terminated,
            "active_obligation_id": active and active["obligation_id"],
            "active_obligation": active,
            "policy": self.policy,
            "survivors_hash": self.survivors_hash,
            "audit_seq": self.seq,
            "audit_head_at": self.ts,
            "audit_head_event_id": self.head_event_id,
            "audit_head_hash": self.head_hash,
        }

    def _applied(self, ids: list[str]) -> list[str] | None:
        """What of these ids survives; None if one is unknown and must not be."""
        assert self.universe is not None
        return self.universe.applied(self._mask, ids, self.policy["validate_hypotheses"])

    def _masked(self, applied: list[str]) -> tuple[bytearray, str]:
        """The mask without these, and its hash."""
        if not applied:
            return self._mask, self.survivors_hash
        assert self.universe is not None
        mask = self.universe.without(self._mask, applied)
        return mask, self.universe.hash(mask)

    # The short way: it takes what is plainly good and leaves everything else to the long way.

    def _feed_plain(self, line: bytes) -> Event | None:
        found = read_plain(line) if self.seq and not self._gates.is_terminated else None
        if not found:
            return None
        event, rest = found
        identity = hash((event.payload["source_id"], event.payload["observation_id"]))
        applied = self._applied(event.payload["eliminated"])
        if (
            event.seq != self.seq + 1
            or not follows(event.ts, self.ts)
            or identity in self._observations
            or applied is None
            or applied != event.eliminated
        ):
            return None
        mask, after = self._masked(applied)
        end = (
            f', "session_id": "{self.session_id}", "prev_event_hash": "{self.head_hash}", '
            f'"survivors_after_hash": "{after}", "survivors_before_hash": "{self.survivors_hash}"}}'
        )
        if rest != end:
            return None
        self._observations.add(identity)
        self.arbitration.state.changed = event.seq
        self._move(event, mask, after)
        return event

    # The long way

    def _feed_any(self, line: bytes) -> Event:
        event_hash, text, record, hypotheses = read_line(line, is_first=not self.seq)
        verb, payload = record["verb"], record["payload"]
        self._check_place(record)
        if verb == "DECLARE_SESSION":
            self._declare(payload, hypotheses)
            self.owner, self.declared_at = record["actor"], record["ts"]
        if not self.seq:
            assert self.universe is not None
            before = self.universe.hash(bytes(len(self._mask)))
        else:
            before = self.survivors_hash
        if record["survivors_before_hash"] != before:
            raise ValueError("the survivors hash before it is another")
        applied = self._applied(payload["eliminated"] if verb == "ELIMINATE" else [])
        if applied is None:
            raise ValueError("it names a hypothesis outside of the universe")
        if record["delta"]["eliminated"] != applied:
            raise ValueError("the delta is not what was asked for and survived")
        mask, after = self._masked(applied)
        if record["survivors_after_hash"] != after:
            raise ValueError("the survivors hash after it is another")
        self._remember(verb, payload)
        if verb in ARBITRATION:
            self._arbitrate(record)
        else:
            self.arbitration.state.changed = record["seq"]
            if verb not in ("DECLARE_SESSION", "ELIMINATE"):
                self._gates.decide(verb, payload, self.n_survivors, self.policy)
        self.session_id = record["session_id"]
        event = Event(
            record["seq"], record["event_id"], record["ts"], verb, record["actor"], payload,
            applied, text, event_hash,
        )  # fmt: skip
        self._move(event, mask, after)
        return event

    def _move(self, event: Event, mask: bytearray, survivors_hash: str) -> None:
        """The event is the head of the log now."""
        self._mask, self.survivors_hash = mask, survivors_hash
        self.n_survivors -= len(event.eliminated)
        self.seq, self.ts = event.seq, event.ts
        self.head_event_id, self.head_hash = event.event_id, event.event_hash

    def _check_place(self, record: dict[str, Any]) -> None:
        """That the event is the next one of this session."""
        if record["seq"] != self.seq + 1:
            what = "missing" if record["seq"] > self.seq + 1 else "foreign"
            raise ValueError(f"the event is {what}: here is seq {record['seq']}")
        if (record["verb"] == "DECLARE_SESSION") != (self.seq == 0):
            raise ValueError("a log begins with DECLARE_SESSION, and nothing else does")
        if self.session_id is not None and record["session_id"] != self.session_id:
            raise ValueError("the event is of another session")
        if record["prev_event_hash"] != self.head_hash:
            raise ValueError("the previous hash is not that of the event before")
        if int(record["event_id"][24:], 16) != record["seq"]:
            raise ValueError("the event id does not end in the seq")
        if not TIME_FORM.fullmatch(record["ts"]):
            raise ValueError("the time has another form")
        if not follows(record["ts"], self.ts):
            raise ValueError("the time is earlier than that of the event before, or none at all")
        # What was begun before may still end.
        if self.terminated and record["verb"] != "COMPLETE_EXECUTION":
            raise ValueError("the session was terminated before")

    def _declare(self, payload: dict[str, Any], hypotheses: Any) -> None:
        if self.universe is None:
            if type(hypotheses) is not list:
                raise ValueError("the first line carries no hypotheses")
            self.universe = Universe(hypotheses)
        elif hypotheses is not None:
            raise ValueError("the first line carries hypotheses of its own")
        if payload["universe_digest"] != self.universe.digest:
            raise ValueError("the universe is another: the digest of the hypotheses differs")
        if payload["n_hypotheses"] != len(self.universe.ids):
            raise ValueError("the universe has another number of hypotheses")
        if "arbitration" in payload:
            self.arbitration.pin(payload["arbitration"])
        self.ontology, self.policy = payload["ontology"], payload["policy"]
        self.n_survivors, self._mask = len(self.universe.ids), self.universe.full_mask()
        self.survivors_hash = self.universe.hash(self._mask)

    def _remember(self, verb: str, payload: dict[str, Any]) -> None:
        """That no message is recorded twice."""
        if verb == "ELIMINATE":
            seen = self._observations
            identity = hash((payload["source_id"], payload["observation_id"]))
        elif "request_id" in payload:
            seen, identity = self._requests, hash(payload["request_id"])
        else:
            return
        if identity in seen:
            raise ValueError("a message of this identity was recorded before")
        seen.add(identity)

    def _arbitrate(self, record: dict[str, Any]) -> None:
        payload = record["payload"]
        if not self.ts <= payload.get("decided_at", self.ts) <= record["ts"]:
            raise ValueError("the decision was not taken between the event before and this one")
        if payload.get("clock", "") > payload.get("decided_at", ""):
            raise ValueError("the clock is later than the decision")
        names = ("session_id", "seq", "event_id", "verb", "actor")
        at = At(**{name: record[name] for name in names}, head_event_id=self.head_event_id)
        try:
            self.arbitration.take(at, payload)
        except (AttributeError, IndexError, KeyError, TypeError):
            # Something inside is missing, or not of its kind.
            raise ValueError("the payload is not one that this verb records") from None
