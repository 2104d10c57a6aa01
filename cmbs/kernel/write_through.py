"""What a server in this process writes through: events to an audit log, eliminations to a store."""

from collections.abc import Iterable, Sequence
from typing import Protocol, runtime_checkable

from cmbs.kernel.answers import AuditEntry, BeliefServerError
from cmbs.kernel.elimination import Message, Outcome
from cmbs.kernel.universe import Universe
from cmbs.spi.elimination_store import EliminationProvenance, EliminationStore

Split = tuple[list[str], list[str]]


class AuditLog(Protocol):
    """Where events are kept beyond the process. What it raises undoes the verb."""

    def extend(self, entries: list[AuditEntry], /) -> object:
        """Add the events of one message or one batch, all or none."""


@runtime_checkable
class AdoptingLog(Protocol):
    """An audit log that takes over what it lacks of a session that is restored."""

    def adopt(self, entries: list[AuditEntry], /) -> object: ...


@runtime_checkable
class ExpandingStore(Protocol):
    """A store in which the end of one hypothesis is that of others, such as edges of a node."""

    def expand(self, session_id: str, ids: Iterable[str], /) -> frozenset[str]:
        """The ids, and those that go with them."""


def begin_in(store: EliminationStore, session_id: str, universe: Universe) -> None:
    store.create_session(session_id, frozenset(universe.ids))
    if store.get_eliminated(session_id):
        raise BeliefServerError(
            "CONFLICT",
            "The store has eliminations of this session already; restore it from its log.",
            {"session_id": session_id},
        )


class WriteThrough:
    """One session in a store, whose word on it counts.

    Its methods are called under the lock of the session.
    """

    def __init__(self, store: EliminationStore, session_id: str) -> None:
        self._store, self._session_id = store, session_id
        # What the store may have eliminated for a verb that failed then. To the store it is gone;
        # the next event that eliminates it is the first to say so.
        self._owed: set[str] = set()
        self._attempted: set[str] = set()
        self._answers: dict[tuple[str, str], Split] = {}
        # By identity of a message: what the store answered, where the kernel expected otherwise.
        self._kept: dict[tuple[str, str], Split] = {}

    def expanded(self, messages: Sequence[Message]) -> Sequence[Message]:
        """The messages with all that they mean to the store, so that the audit names it too."""
        if not isinstance(self._store, ExpandingStore):
            return messages
        found = []
        for message in messages:
            asked = message.eliminated
            further = self._store.expand(self._session_id, asked).difference(asked)
            found.append(message._replace(eliminated=[*asked, *sorted(further)]))
        return found

    def persist(self, steps: Sequence[tuple[Message, Sequence[str]]]) -> None:
        """Messages, with what the kernel says that each eliminates."""
        for message, expected in steps:
            self._attempted.update(expected)
            why = EliminationProvenance(message.source_id, message.observation_id)
            done = self._store.eliminate(self._session_id, frozenset(message.eliminated), why)
            owed = self._owed.intersection(expected, done.already_eliminated)
            applied, ignored = {*done.applied} | owed, {*done.already_eliminated} - owed
            self._answers[message.identity] = sorted(applied), sorted(ignored)

    def failed(self) -> None:
        """The verb changed nothing; the store may have."""
        self._owed |= self._attempted
        self._forget()

    def adopted(self, messages: Sequence[Message], outcomes: Sequence[Outcome]) -> list[Outcome]:
        """The outcomes by the word of the store, now and when a message comes again."""
        self._owed -= self._attempted
        given = []
        for message, outcome in zip(messages, outcomes, strict=True):
            answer = self._answers.get(message.identity)
            if answer and answer != (outcome.applied, outcome.ignored):
                self._kept[message.identity] = answer
            applied, ignored = self._kept.get(message.identity, outcome[:2])
            # Copies: callers may do with an answer what they like.
            given.append(outcome._replace(applied=[*applied], ignored=[*ignored]))
        self._forget()
        return given

    def _forget(self) -> None:
        self._attempted, self._answers = set(), {}
