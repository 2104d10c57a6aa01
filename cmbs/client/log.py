"""Reading the log of a session as it is sent, however often the connection is lost."""

from collections import deque
from contextlib import suppress
from typing import cast
from uuid import UUID

import httpx

from cmbs.client.chain import Line
from cmbs.client.flow import Conversation, Flow, Read, Tries, foreign_line, unreachable
from cmbs.client.request import Request, event_segment, get, session_path
from cmbs.kernel.answers import AuditEntry, SessionId
from cmbs.kernel.canonical import parse

_LONGEST_LIMIT = 10_000
_ACCEPT = {b"Accept": b"application/x-ndjson"}


class Lines:
    """The lines after an event: of the log to its end, or so many."""

    def __init__(
        self,
        conversation: Conversation,
        session_id: str,
        since: str | None,
        limit: int | None = None,
    ) -> None:
        self._conversation, self._session_id, self._since = conversation, session_id, since
        self._left = limit if limit is not None and limit <= _LONGEST_LIMIT else None
        self._is_over = False
        self.interrupt()

    def interrupt(self) -> None:
        """The connection is gone, or needed for something else."""
        self._is_open = False
        self._whole: deque[bytes] = deque()
        self._begun: list[bytes] = []
        self._tries = Tries(self._conversation.retries)

    def next(self) -> Flow[Line | None]:
        while not self._whole and not self._is_over:
            if not self._is_open:
                yield from self._open()
            try:
                self._take(cast(bytes, (yield Read())))
            except httpx.RequestError as error:
                tries = self._tries
                self.interrupt()
                self._tries = tries
                yield from tries.pause(unreachable(error))
        if not self._whole:
            return None
        text = self._whole.popleft()
        try:
            return Line.from_dict(parse(text))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise foreign_line(text) from None

    def took(self, entry: AuditEntry) -> None:
        """The event of the last line: from there it goes on, should the connection be lost."""
        self._since = entry.event_id
        if self._left is not None:
            self._left -= 1
        # There is progress, and so there is hope.
        self._tries = Tries(self._conversation.retries)

    def finish(self) -> Flow[None]:
        """Read to the end that the limit has set, so that the connection can be used again."""
        if self._is_open and self._left == 0:
            with suppress(httpx.RequestError):
                yield Read()

    def _open(self) -> Flow[None]:
        path = session_path(self._session_id, "audit")
        asked = get(path, bytes, since_event_id=self._since, limit=self._left)
        request = Request(asked.method, asked.path, bytes, asked.query, _ACCEPT)
        yield from self._conversation.reply(request, self._tries, is_stream=True)
        self._is_open = True

    def _take(self, chunk: bytes) -> None:
        # A line may be long: it is put together once, when its end is there.
        if b"\n" in chunk:
            *whole, rest = b"".join([*self._begun, chunk]).split(b"\n")
            self._whole.extend(whole)
            self._begun = [rest] if rest else []
        elif chunk:
            self._begun.append(chunk)
        elif self._begun:
            raise httpx.ReadError("the answer ended within a line")
        else:
            self._is_over = True


class Audit:
    """The events of a log after one of them, or from the first, as they come."""

    def __init__(self, session_id: str, since: str | None, conversation: Conversation) -> None:
        self._lines = Lines(conversation, session_id, since)
        # The first event of the log is still to come.
        self._is_first = since is None

    def next(self) -> Flow[AuditEntry | None]:
        line = yield from self._lines.next()
        if line is None:
            if self._is_first:
                raise foreign_line(b"")
            return None
        try:
            entry = line.entry()
            if self._is_first and entry.seq != 1:
                raise ValueError("a log begins with event 1")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise foreign_line(line.record.encode(errors="replace")) from None
        self._is_first = False
        self._lines.took(entry)
        return entry


def event(session_id: SessionId, event_id: str | UUID) -> Request[AuditEntry]:
    path = session_path(session_id, "audit", event_segment(event_id))
    return get(path, AuditEntry.from_dict)
