"""Incidents: checks whose outcomes rule out root causes."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cmbs.adapters import kit_files
from cmbs.adapters.table import TableAdapter, TableRow


@dataclass(frozen=True)
class ITBenchAction:
    """A check and what may come of it."""

    id: str
    description: str
    outcomes: list[str]


@dataclass(frozen=True)
class ITBenchKit:
    """What may be the root cause, what can be checked, in which order, and in `oracle_table`, by
    action and outcome, the hypotheses that are ruled out.
    """

    hypotheses: list[str]
    actions: dict[str, ITBenchAction]
    actions_order: list[str]
    oracle_table: dict[str, dict[str, frozenset[str]]]


def load_kit(path: str | os.PathLike[str]) -> ITBenchKit:
    """The kit of a YAML file. What is wrong with it is a ValueError that says where."""
    return _kit(kit_files.read(Path(path)))


def load_builtin_kit(name: str) -> ITBenchKit:
    """`itb_min_4` or `itb_sre_6`."""
    return _kit(kit_files.builtin(name, "itb_"))


def _kit(kit: kit_files.Members) -> ITBenchKit:
    hypotheses = kit.identifiers("hypotheses")
    known = frozenset(hypotheses)
    actions = {}
    for action_id, members in kit.actions():
        outcomes = members.identifiers("outcomes")
        for outcome in outcomes:
            members.check_observation(action_id, outcome)
        actions[action_id] = ITBenchAction(action_id, members.text("description"), outcomes)
    table = kit.members("oracle_table")
    table.only(actions, "action")
    oracle_table = {}
    for action_id, action in actions.items():
        row = table.members(action_id)
        row.only(action.outcomes, "outcome")
        oracle_table[action_id] = {
            outcome: row.members(outcome).hypotheses("eliminates", known)
            for outcome in action.outcomes
        }
    return ITBenchKit(hypotheses, actions, list(actions), oracle_table)


class ITBenchAdapter(TableAdapter):
    """Offers the checks of a kit. What is observed is one of the outcomes of the check."""

    def __init__(self, kit: ITBenchKit, source_id: str = "adapter://itbench") -> None:
        checks = [kit.actions[action_id] for action_id in kit.actions_order]
        rows = [
            TableRow(
                check.id,
                check.description,
                {
                    outcome: frozenset(kit.oracle_table[check.id][outcome])
                    for outcome in check.outcomes
                },
            )
            for check in checks
        ]
        super().__init__(source_id, rows, "description", "outcome")


class ITBenchOracle:
    """Answers checks by a scenario: the outcome of each action, or the root cause.

    Of a root cause each check has the first outcome, in the kit's order, that does not rule it out.
    """

    def __init__(self, kit: ITBenchKit, scenario: str | Mapping[str, str]) -> None:
        if isinstance(scenario, str):
            self._outcomes = _outcomes_of(kit, scenario)
            return
        for action_id, outcome in scenario.items():
            if outcome not in kit.oracle_table.get(action_id, ()):
                raise ValueError(f"the kit has no outcome {outcome!r} of an action {action_id!r}")
        self._outcomes = dict(scenario)

    def answer(self, action_id: str) -> str:
        """The outcome; ValueError for an action that the scenario does not tell about."""
        if action_id not in self._outcomes:
            raise ValueError(f"the scenario has no outcome of an action {action_id!r}")
        return self._outcomes[action_id]


def _outcomes_of(kit: ITBenchKit, cause: str) -> dict[str, str]:
    if cause not in kit.hypotheses:
        raise ValueError(
            f"there is no hypothesis {cause!r}; the kit has {', '.join(kit.hypotheses)}"
        )
    found = {}
    for action_id in kit.actions_order:
        fitting = [
            outcome
            for outcome in kit.actions[action_id].outcomes
            if cause not in kit.oracle_table[action_id][outcome]
        ]
        if not fitting:
            raise ValueError(
                f"every outcome of action {action_id!r} rules out {cause!r}; mend the kit"
            )
        found[action_id] = fitting[0]
    return found
