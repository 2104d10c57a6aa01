"""Answers and logs that are handed on only once they are in one chain with what is known."""

from cmbs.client import chain
from cmbs.client.chain import BEFORE, ChainBroken, Expected, Head, Ledger
from cmbs.client.flow import Conversation, Flow
from cmbs.client.log import Lines, event
from cmbs.client.request import Proof, Request, T
from cmbs.errors import EventNotFound, SessionNotFound
from cmbs.kernel.answers import AuditEntry

_ABSENT = (EventNotFound, SessionNotFound)


def asked(conversation: Conversation, request: Request[T]) -> Flow[T]:
    """The answer to a request; if the client verifies, only after the log has confirmed it."""
    ledger, claimed = conversation.ledger, request.proof
    if ledger is None or claimed is None:
        answer, _ = yield from conversation.ask(request)
        return answer
    session_id = request.session_id
    before = ledger.head(session_id)
    answer, members = yield from conversation.ask(request)
    try:
        proof = claimed(members)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ChainBroken(session_id, 0, "the answer is none to what was sent") from None
    n_new = sum(claim.is_new for claim in proof.claims)
    if proof.is_now and before and proof.heads[0].seq - n_new < before.seq:
        raise ChainBroken(session_id, before.seq, "the log has become shorter")
    yield from _prove(conversation, ledger, session_id, proof)
    return answer


def _prove(conversation: Conversation, ledger: Ledger, session_id: str, proof: Proof) -> Flow[None]:
    """Find heads and events in one chain with what is known; it is known from then on."""
    while True:
        known = ledger.head(session_id)
        expected = Expected(session_id, known, proof.heads, proof.claims)
        try:
            yield from _walk(conversation, expected)
        except _ABSENT:
            raise ChainBroken(session_id, expected.end.seq, "the log lacks an event") from None
        # Another thread may have gone on from the same head, to another end.
        if ledger.move(session_id, known, expected.end):
            return


def _walk(conversation: Conversation, expected: Expected) -> Flow[None]:
    session_id, head = expected.session_id, expected.known or BEFORE
    if expected.earlier:
        entry, _ = yield from conversation.ask(event(session_id, expected.earlier))
        head = Head.of(chain.check_event(session_id, entry))
        if head.seq != expected.begins:
            raise ChainBroken(session_id, expected.begins, "the event has another number")
        expected.meet(entry, head)
    lines = Lines(conversation, session_id, head.event_id or None, expected.end.seq - head.seq)
    while head.seq < expected.end.seq:
        line = yield from lines.next()
        if line is None:
            raise ChainBroken(session_id, head.seq + 1, "the log ends before its head")
        entry = chain.check_line(session_id, head.seq + 1, line)
        head = chain.follow(session_id, head, entry)
        expected.meet(entry, head)
        lines.took(entry)
    yield from lines.finish()


class CheckedAudit:
    """The events of a log after one of them, or from the first, each checked before it is given."""

    def __init__(
        self,
        session_id: str,
        since: str | None,
        conversation: Conversation,
        ledger: Ledger,
    ) -> None:
        self._session_id, self._since = session_id, since
        self._conversation, self._ledger = conversation, ledger
        self._lines = Lines(conversation, session_id, since)
        self._head: Head | None = None
        # What the log will lead to, or has led to.
        self._known: Head | None = None

    def next(self) -> Flow[AuditEntry | None]:
        before = self._head
        if before is None:
            before = self._head = yield from self._begin()
        try:
            line = yield from self._lines.next()
        except _ABSENT:
            if self._known is None:
                raise
            raise self._broken(before, "the log lacks an event that was there") from None
        if line is None:
            if self._known and before.seq < self._known.seq:
                raise self._broken(before, "the log ends before its head")
            if before == BEFORE:
                raise self._broken(before, "the log has no first event")
            return None
        entry = chain.check_line(self._session_id, before.seq + 1, line)
        head = self._head = chain.follow(self._session_id, before, entry)
        if self._known and self._known.seq == head.seq and self._known != head:
            raise self._broken(head, "the event is not the one that was there before")
        self._lines.took(entry)
        if not self._known or self._known.seq <= head.seq:
            yield from self._go_on(head)
        return entry

    def _begin(self) -> Flow[Head]:
        self._known = self._ledger.head(self._session_id)
        if self._since is None:
            return BEFORE
        if self._known and self._known.event_id == self._since:
            return self._known
        entry, _ = yield from self._conversation.ask(event(self._session_id, self._since))
        head = Head.of(chain.check_event(self._session_id, entry))
        yield from self._prove(head)
        return head

    def _go_on(self, head: Head) -> Flow[None]:
        if self._ledger.move(self._session_id, self._known, head):
            self._known = head
        else:
            # Another thread has gone on meanwhile, and it must have been on this very chain.
            self._lines.interrupt()
            yield from self._prove(head)

    def _prove(self, head: Head) -> Flow[None]:
        yield from _prove(self._conversation, self._ledger, self._session_id, Proof([head]))
        self._known = self._ledger.head(self._session_id)

    def _broken(self, head: Head, reason: str) -> ChainBroken:
        return ChainBroken(self._session_id, head.seq, reason)
