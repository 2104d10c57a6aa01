"""A session as its log: the verbs that the sample plays, recorded as the protocol says."""

import hashlib
import json
import random
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from cmbs.verify import canonical

Json = dict[str, Any]


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class Universe:
    def __init__(self, ids: list[str]) -> None:
        self.ids = sorted(ids)
        self.text = canonical(self.ids)
        self.digest = sha256(self.text)

    def survivors_hash(self, survivors: set[str]) -> str:
        bits = sum(1 << rank for rank, one in enumerate(self.ids) if one in survivors)
        mask = bits.to_bytes((len(self.ids) + 7) // 8, "little")
        return hashlib.sha256(bytes.fromhex(self.digest) + mask).hexdigest()


class Session:
    """Every method appends one event; what it returns is the decision."""

    def __init__(
        self,
        dice: random.Random,
        universe: Universe,
        session_id: UUID,
        began: datetime,
        *,
        space: str,
        policy: Json,
        metadata: Json,
    ) -> None:
        self.universe, self.session_id = universe, session_id
        self.survivors: set[str] = set()
        self.is_terminated = False
        self.obligation: str | None = None
        self.policy_as_sent = policy
        self.lines: list[str] = []
        self.head_id = ""
        self.head_hash = "0" * 64
        self._dice, self._now = dice, began
        self._policy: Json = {"validate_hypotheses": False} | policy
        self._before = universe.survivors_hash(self.survivors)
        self._minimum = self._counted_from = self._observations = 0
        self._accepted: list[str] = []
        self.survivors = set(universe.ids)
        ontology = {"hypothesis_space_id": space, "hypothesis_version": "v3"}
        ontology |= {"causal_graph_ref": f"graph://{space}", "causal_graph_version": "v17"}
        payload: Json = {"ontology": ontology, "universe_digest": universe.digest}
        payload |= {"n_hypotheses": len(universe.ids), "policy": self._policy}
        self._append("DECLARE_SESSION", payload | {"metadata": metadata})

    def entry(self) -> Json:
        """The session in the manifest of a bundle."""
        return {
            "session_id": str(self.session_id),
            "n_events": len(self.lines),
            "head_event_id": self.head_id,
            "head_hash": self.head_hash,
            "universe_digest": self.universe.digest,
            "policy_as_sent": self.policy_as_sent,
        }

    def wait(self, minutes: int) -> None:
        """About that long: half of it to twice as much."""
        least = minutes * 30_000_000
        self._now += timedelta(microseconds=least + self._dice.randrange(3 * least))

    def eliminate(self, source: str, ids: list[str], justification: Json) -> None:
        self._observations += 1
        gone = sorted(self.survivors.intersection(ids))
        self.survivors.difference_update(gone)
        payload: Json = {"source_id": source, "observation_id": f"observation {self._observations}"}
        self._append(
            "ELIMINATE", payload | {"eliminated": ids, "justification": justification}, gone
        )

    def enter(self, obligation: str, minimum: int) -> None:
        self.obligation, self._minimum = obligation, minimum
        self._counted_from = len(self.survivors)
        payload = {"obligation_id": obligation, "min_total_eliminations": minimum}
        self._append("ENTER_OBLIGATION", payload)

    def can_be_met(self) -> bool:
        """Whether the active obligation can be met by those who want to keep one survivor."""
        return self._counted_from > self._minimum

    def exit(self) -> bool:
        approved = self._counted_from - len(self.survivors) >= self._minimum
        reason = "approved" if approved else "minimum eliminations not met"
        payload: Json = {"obligation_id": self.obligation, "context": {}, "approved": approved}
        self._append("REQUEST_EXIT", payload | {"reason": reason})
        if approved:
            self.obligation = None
        return approved

    def waive(self, why: str) -> None:
        payload: Json = {"obligation_id": self.obligation, "waive_reason": why}
        payload |= {"approved": True, "reason": "waived"}
        self._append("WAIVE_OBLIGATION", payload, actor="duty-manager")
        self.obligation = None

    def conclude(self, conclusion: str) -> bool:
        accepted = self.obligation is None
        reason = "accepted" if accepted else "active obligation blocks conclusion"
        payload = {"conclusion_id": conclusion, "context": {}, "accepted": accepted}
        self._append("DECLARE_CONCLUSION", payload | {"reason": reason})
        if accepted:
            self._accepted.append(conclusion)
        return accepted

    def terminate(self, force: bool = False) -> bool:
        window = self._policy["stability_window"]
        last = self._accepted[-window:] if window else []
        is_stable = len(last) == window and len(set(last)) <= 1
        if self.obligation:
            approved, reason = False, "active obligation blocks termination"
        elif force and self._policy["allow_forced_termination"]:
            approved, reason = True, "approved by force"
        elif len(self.survivors) == 1 and is_stable:
            approved, reason = True, "approved"
        elif len(self.survivors) == 1 and not force:
            approved, reason = False, "conclusion not stable"
        elif force:
            approved, reason = False, "force not allowed by policy"
        else:
            approved, reason = False, "termination requires a singleton survivor"
        context = {"force": True} if force else {}
        payload = {"context": context, "approved": approved, "reason": reason}
        self._append("REQUEST_TERMINATION", payload)
        self.is_terminated = approved
        return approved

    def _append(
        self, verb: str, payload: Json, gone: list[str] | None = None, actor: str = "api"
    ) -> None:
        # No two events of a log fall on one instant, though the protocol would allow it.
        self._now += timedelta(microseconds=1 + self._dice.randrange(900_000))
        seq = len(self.lines) + 1
        event_id = UUID(int=self._dice.getrandbits(128), version=4)
        self.head_id = str(event_id)[:24] + f"{seq:012x}"
        after = self.universe.survivors_hash(self.survivors)
        record = {
            "v": 1,
            "session_id": str(self.session_id),
            "seq": seq,
            "event_id": self.head_id,
            "ts": f"{self._now:%Y-%m-%dT%H:%M:%S.%f}Z",
            "verb": verb,
            "actor": actor,
            "payload": payload,
            "delta": {"eliminated": gone or []},
            "survivors_before_hash": self._before,
            "survivors_after_hash": after,
            "prev_event_hash": self.head_hash,
        }
        text = canonical(record)
        self.head_hash, self._before = sha256(text), after
        line = {"event_hash": self.head_hash, "record": text}
        self.lines.append(json.dumps(line, ensure_ascii=False) + "\n")
