"""A session of the sample: the reference kernel, by a clock and ids that follow from the dice."""

import json
import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from cmbs.kernel import elimination, gates
from cmbs.kernel.answers import OntologyBundle, SessionPolicy
from cmbs.kernel.canonical import canonical
from cmbs.kernel.event_log import Event
from cmbs.kernel.session import BeliefSession
from cmbs.kernel.universe import Universe

Json = dict[str, Any]


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
        self.universe, self.session_id, self.policy_as_sent = universe, session_id, policy
        self.lines: list[str] = []
        self._dice, self._now, self._actor = dice, began, "api"
        self._observations = self._counted_from = 0
        self._gate = gates.Gate(None, None, None, self._publish)
        ontology = OntologyBundle(space, "v3", f"graph://{space}", "v17")
        self._session = BeliefSession(
            str(session_id), ontology, universe, SessionPolicy(**policy), self._stamp
        )
        self._session.declare(canonical(metadata), None, self._publish)

    @property
    def survivors(self) -> list[str]:
        """In order."""
        return self.universe.members(self._session.mask)

    @property
    def is_terminated(self) -> bool:
        return self._session.core.is_terminated

    @property
    def obligation(self) -> str | None:
        return self._session.obligation_id

    def entry(self) -> Json:
        """The session in the manifest of a bundle."""
        head = self._session.log.head
        return {
            "session_id": str(self.session_id),
            "n_events": head.seq,
            "head_event_id": head.event_id,
            "head_hash": head.event_hash,
            "universe_digest": self.universe.digest,
            "policy_as_sent": self.policy_as_sent,
        }

    def wait(self, minutes: int) -> None:
        """About that long: half of it to twice as much."""
        least = minutes * 30_000_000
        self._now += timedelta(microseconds=least + self._dice.randrange(3 * least))

    def eliminate(self, source: str, ids: list[str], justification: Json) -> None:
        self._observations += 1
        observation = f"observation {self._observations}"
        message = elimination.message_of(source, observation, ids, justification)
        elimination.eliminate(self._session, [message], None, None, self._publish, is_batch=False)

    def enter(self, obligation: str, minimum: int) -> None:
        self._counted_from = len(self.survivors)
        gates.enter_obligation(self._session, obligation, minimum, self._gate)

    def can_be_met(self) -> bool:
        """Whether the active obligation can be met by those who want to keep one survivor."""
        return self._counted_from > self._session.minimum

    def exit(self) -> bool:
        return gates.request_exit(self._session, self.obligation or "", "{}", self._gate).approved

    def waive(self, why: str) -> None:
        self._actor = "duty-manager"
        gates.waive_obligation(self._session, self.obligation or "", why, self._gate)
        self._actor = "api"

    def conclude(self, conclusion: str) -> bool:
        return gates.declare_conclusion(self._session, conclusion, "{}", self._gate).approved

    def terminate(self, force: bool = False) -> bool:
        context = canonical({"force": True} if force else {})
        return gates.request_termination(self._session, context, self._gate).approved

    def _stamp(self, seq: int, last: float) -> tuple[str, float, str]:
        # No two events of a log fall on one instant, though the protocol would allow it.
        self._now += timedelta(microseconds=1 + self._dice.randrange(900_000))
        event_id = UUID(int=self._dice.getrandbits(128), version=4)
        return f"{str(event_id)[:24]}{seq:012x}", self._now.timestamp(), self._actor

    def _publish(self, events: Sequence[Event]) -> None:
        for event in events:
            line = {"event_hash": event.event_hash, "record": event.record}
            self.lines.append(json.dumps(line, ensure_ascii=False) + "\n")
