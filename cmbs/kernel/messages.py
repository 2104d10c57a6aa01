"""The message that eliminates, as a value."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from cmbs.kernel.answers import FreeObject


@dataclass(frozen=True)
class EliminateMessage:
    """An ELIMINATE message, for any server; its identity is its source and observation."""

    verb: str
    source_id: str
    observation_id: str
    eliminated: list[str]
    justification: FreeObject | None

    @classmethod
    def create(
        cls,
        source_id: str,
        observation_id: str,
        eliminated: Iterable[str],
        justification: Mapping[str, Any] | None = None,
    ) -> "EliminateMessage":
        return cls("ELIMINATE", source_id, observation_id, list(eliminated), justification)

    def to_dict(self) -> dict[str, Any]:
        """The members of the message: the arguments of `eliminate`, or an entry of a batch."""
        members: dict[str, Any] = {
            "source_id": self.source_id,
            "observation_id": self.observation_id,
            "eliminated": list(self.eliminated),
        }
        if self.justification is not None:
            members["justification"] = dict(self.justification)
        return members
