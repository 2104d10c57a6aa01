"""Where an event of arbitration stands, and what those before it left behind."""

import hashlib
from dataclasses import dataclass, field
from typing import NamedTuple
from uuid import UUID


class At(NamedTuple):
    """Where an event of arbitration stands: what it says of itself, and the head before it."""

    session_id: str
    seq: int
    event_id: str
    verb: str
    actor: str
    head_event_id: str

    def derived_id(self, now: str, of: str) -> str:
        """The id of something that a verdict gives, which follows from that verdict."""
        text = f"{self.session_id} {self.seq - 1} {now} {of}"
        return str(UUID(hashlib.sha256(text.encode()).hexdigest()[:32]))


@dataclass
class State:
    """What verdicts rest on beside policies and tokens, as far as a log tells."""

    mode: str = "normal"
    # The last event after which a verdict might be another one, besides what it writes.
    changed: int = 0
    # The last event that wrote each key.
    written: dict[str, int] = field(default_factory=dict)
