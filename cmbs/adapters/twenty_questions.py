"""Twenty questions: yes or no, and each answer keeps some hypotheses."""

import os
from dataclasses import dataclass
from pathlib import Path

from cmbs.adapters import kit_files
from cmbs.adapters.table import TableAdapter, TableRow

_ANSWERS = ("yes", "no")


@dataclass(frozen=True)
class TwentyQAction:
    """A question, and by answer, "yes" and "no", the hypotheses that it keeps."""

    id: str
    question: str
    keep: dict[str, frozenset[str]]


@dataclass(frozen=True)
class TwentyQKit:
    """What may be the secret, and what can be asked, in which order."""

    hypotheses: list[str]
    actions: dict[str, TwentyQAction]
    actions_order: list[str]


def load_kit(path: str | os.PathLike[str]) -> TwentyQKit:
    """The kit of a YAML file. What is wrong with it is a ValueError that says where."""
    return _kit(kit_files.read(Path(path)))


def load_builtin_kit(name: str) -> TwentyQKit:
    """`20q_4`, `20q_8` (animals) or `20q_72` (chemical elements)."""
    return _kit(kit_files.builtin(name, "20q_"))


def _kit(kit: kit_files.Members) -> TwentyQKit:
    hypotheses = kit.identifiers("hypotheses")
    known = frozenset(hypotheses)
    actions = {}
    for action_id, members in kit.actions():
        keep = members.members("keep")
        keep.only(_ANSWERS, "answer")
        kept = {answer: keep.hypotheses(answer, known) for answer in _ANSWERS}
        for answer in _ANSWERS:
            members.check_observation(action_id, answer)
        actions[action_id] = TwentyQAction(action_id, members.text("question"), kept)
    return TwentyQKit(hypotheses, actions, list(actions))


class TwentyQAdapter(TableAdapter):
    """Asks the questions of a kit. What is observed is `"yes"` or `"no"`.

    An answer eliminates the survivors that it does not keep, those that the kit does not know
    among them.
    """

    def __init__(self, kit: TwentyQKit, source_id: str = "adapter://twenty_questions") -> None:
        known = frozenset(kit.hypotheses)
        asked = [kit.actions[action_id] for action_id in kit.actions_order]
        rows = [
            TableRow(
                one.id, one.question, {answer: known - one.keep[answer] for answer in _ANSWERS}
            )
            for one in asked
        ]
        super().__init__(source_id, rows, "question", "answer")
        self._kit = kit

    def _ruled_out(self, row: TableRow, outcome: str, survivors: frozenset[str]) -> frozenset[str]:
        return survivors - self._kit.actions[row.action_id].keep[outcome]


class TwentyQOracle:
    """Knows the answers; where both keep the secret, it says yes."""

    def __init__(self, kit: TwentyQKit) -> None:
        self._kit = kit

    def answer(self, secret: str, action_id: str) -> str:
        """`"yes"` or `"no"`; ValueError for a secret or an action that is not in the kit."""
        if secret not in self._kit.hypotheses:
            raise ValueError(f"the kit has no hypothesis {secret!r}")
        if action_id not in self._kit.actions:
            raise ValueError(f"the kit has no action {action_id!r}")
        for answer in _ANSWERS:
            if secret in self._kit.actions[action_id].keep[answer]:
                return answer
        raise ValueError(f"no answer to action {action_id!r} keeps {secret!r}; mend the kit")
