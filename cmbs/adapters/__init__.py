"""Adapters turn what was observed into messages of the belief protocol, and kits are what the
adapters of this package know.
"""

from cmbs.adapters.itbench import ITBenchAction, ITBenchAdapter, ITBenchKit, ITBenchOracle
from cmbs.adapters.legacy import (
    LegacyEliminationEvent,
    LegacyReplayAdapter,
    submit_legacy_elimination,
)
from cmbs.adapters.table import TableAdapter, TableRow
from cmbs.adapters.twenty_questions import TwentyQAction, TwentyQAdapter, TwentyQKit, TwentyQOracle
from cmbs.adapters.types import Action, AdapterActionContext, BeliefAdapter, BeliefMessage
from cmbs.kernel.messages import EliminateMessage

__all__ = [
    "Action",
    "AdapterActionContext",
    "BeliefAdapter",
    "BeliefMessage",
    "EliminateMessage",
    "ITBenchAction",
    "ITBenchAdapter",
    "ITBenchKit",
    "ITBenchOracle",
    "LegacyEliminationEvent",
    "LegacyReplayAdapter",
    "TableAdapter",
    "TableRow",
    "TwentyQAction",
    "TwentyQAdapter",
    "TwentyQKit",
    "TwentyQOracle",
    "submit_legacy_elimination",
]
