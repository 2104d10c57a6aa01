"""What is still believed of a provider's hypotheses."""

from cmbs.kernel.belief_state import (
    BeliefState,
    ruled_out,
)

__all__ = [
    "BeliefState",
    "ruled_out",
]
