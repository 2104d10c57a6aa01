"""What an adapter must do: offer actions that may tell hypotheses apart, and say what an
observation rules out. It talks to no server: whoever plays sends its messages to any.
"""

from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from cmbs.kernel.answers import BeliefSnapshot, FreeObject
from cmbs.kernel.messages import EliminateMessage

__all__ = [
    "Action",
    "AdapterActionContext",
    "BeliefAdapter",
    "BeliefMessage",
    "EliminateMessage",
]


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
