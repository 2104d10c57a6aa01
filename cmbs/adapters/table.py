"""An adapter that knows a table: which hypotheses each outcome of each action rules out."""

import reprlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cmbs.adapters.types import Action, AdapterActionContext
from cmbs.kernel.answers import BeliefSnapshot
from cmbs.kernel.messages import EliminateMessage


@dataclass(frozen=True)
class TableRow:
    """An action, and by outcome the hypotheses that are eliminated by it."""

    action_id: str
    prompt: str
    eliminates: Mapping[str, frozenset[str]]


class TableAdapter:
    """Offers the actions of its rows in their order, each once in a session.

    An adapter knows what it asked for as long
    as it lives, by session, and nothing else of a session than the snapshots it is shown; it may
    serve many sessions, from many threads.
    """

    def __init__(
        self, source_id: str, rows: Iterable[TableRow], prompt_is: str, outcome_is: str
    ) -> None:
        """`prompt_is` and `outcome_is` name both in the justification of a message."""
        self.source_id = source_id
        self._rows = {row.action_id: row for row in rows}
        self._words = prompt_is, outcome_is
        self._asked: defaultdict[str, set[str]] = defaultdict(set)

    def list_actions(self, snapshot: BeliefSnapshot) -> list[Action]:
        """Those not begun yet of which some outcome eliminates a part of the survivors."""
        if snapshot.terminated:
            return []
        asked = self._asked.get(snapshot.session_id, ())
        survivors = frozenset(snapshot.survivors)
        return [
            Action(row.action_id, row.prompt, {"outcomes": list(row.eliminates)})
            for row in self._rows.values()
            if row.action_id not in asked and self._is_useful(row, survivors)
        ]

    def apply_action(self, action_id: str, snapshot: BeliefSnapshot) -> AdapterActionContext:
        """Begin an action; from here on it is not offered again to this session."""
        row = self._row(action_id)
        self._asked[snapshot.session_id].add(action_id)
        return AdapterActionContext(action_id, snapshot, {self._words[0]: row.prompt})

    def observe(
        self, action_ctx: AdapterActionContext, raw_observation: str
    ) -> list[EliminateMessage]:
        """One message: of the snapshot's survivors, those that the outcome rules out.

        There is one also if they are none: that it was looked at is evidence for the log.
        """
        row, snapshot = self._row(action_ctx.action_id), action_ctx.snapshot
        if not isinstance(raw_observation, str) or raw_observation not in row.eliminates:
            raise ValueError(
                f"{reprlib.repr(raw_observation)} cannot be observed of action {row.action_id!r}; "
                f"its outcomes are {', '.join(map(repr, row.eliminates))}"
            )
        self._asked[snapshot.session_id].add(row.action_id)
        return [
            EliminateMessage.create(
                self.source_id,
                f"{row.action_id}:{raw_observation}",
                sorted(self._ruled_out(row, raw_observation, frozenset(snapshot.survivors))),
                dict(zip(self._words, (row.prompt, raw_observation), strict=True)),
            )
        ]

    def _ruled_out(self, row: TableRow, outcome: str, survivors: frozenset[str]) -> frozenset[str]:
        """Hypotheses that are in no row stay: the table says nothing about them."""
        return row.eliminates[outcome] & survivors

    def _is_useful(self, row: TableRow, survivors: frozenset[str]) -> bool:
        gone = (len(self._ruled_out(row, outcome, survivors)) for outcome in row.eliminates)
        return any(0 < n_gone < len(survivors) for n_gone in gone)

    def _row(self, action_id: str) -> TableRow:
        if action_id not in self._rows:
            raise ValueError(
                f"there is no action {action_id!r}; list_actions() tells which are left"
            )
        return self._rows[action_id]
