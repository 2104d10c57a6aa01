"""What an adapter must do: offer actions that may tell hypotheses apart, and say what an
observation rules out. It talks to no server: whoever plays sends its messages to any.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from cmbs.answers import BeliefSnapshot, FreeObject


@dataclass(frozen=True)
class Action:
    """Something that can be done or asked. What `metadata` holds is up to the adapter."""

    action_id: str
    prompt: str
    metadata: FreeObject = field(default_factory=dict)


@dataclass(frozen=True)
class AdapterActionContext:
    """An action begun, and what was believed then; `payload` is up to the adapter."""

    action_id: str
    snapshot: BeliefSnapshot
    payload: FreeObject = field(default_factory=dict)


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


# All that an adapter can say: evidence only eliminates.
BeliefMessage = EliminateMessage


@runtime_checkable
class BeliefAdapter(Protocol):
    def list_actions(self, snapshot: BeliefSnapshot) -> list[Action]:
        """What is worth doing now, the best first; empty when nothing would help any more."""

    def apply_action(self, action_id: str, snapshot: BeliefSnapshot) -> AdapterActionContext:
        """Begin an action. One that the adapter does not know is `ValueError`."""

    def observe(
        self, action_ctx: AdapterActionContext, raw_observation: Any
    ) -> list[EliminateMessage]:
        """What the observation of that action rules out; `ValueError` if it cannot be one.

        The same context and observation give the same messages, so they may be sent again.
        """
