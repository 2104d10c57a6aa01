"""What tests of adapters share: snapshots by hand, and games without a server."""

from collections.abc import Callable, Iterable

from cmbs.adapters import BeliefAdapter, EliminateMessage
from cmbs.answers import BeliefSnapshot, OntologyBundle

ONTOLOGY = OntologyBundle("kit", "1", "kit://causes", "1")


def snapshot(
    survivors: Iterable[str], session: str = "s", terminated: bool = False
) -> BeliefSnapshot:
    """What a server would show of a session with these survivors."""
    return BeliefSnapshot(session, ONTOLOGY, sorted(survivors), terminated, None, "head")


def play(
    adapter: BeliefAdapter, hypotheses: Iterable[str], answer: Callable[[str], str]
) -> tuple[set[str], list[EliminateMessage]]:
    """Do what the adapter offers first until it offers nothing: what is left, and what was said."""
    left, said = set(hypotheses), []
    while actions := adapter.list_actions(snapshot(left)):
        context = adapter.apply_action(actions[0].action_id, snapshot(left))
        for message in adapter.observe(context, answer(context.action_id)):
            left -= set(message.eliminated)
            said.append(message)
    return left, said
