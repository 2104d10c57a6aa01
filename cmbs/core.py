"""The core of belief: a set that only shrinks, and the gates over it.

It is told results and judges nothing else: it trusts its caller, and ids are opaque strings.
"""

from cmbs.kernel.core import (
    CMBSCore,
    EliminationEvent,
    ObligationExitResult,
    ProbeResult,
    TerminationResult,
)

__all__ = [
    "CMBSCore",
    "EliminationEvent",
    "ObligationExitResult",
    "ProbeResult",
    "TerminationResult",
]
