"""The log of a session, page by page, so that neither the server nor a slow reader holds it all."""

from collections.abc import AsyncIterator
from uuid import UUID

import msgspec

from cmbs.api.shell.admission import CallerDatabase

# How many events a page has follows from how long the last ones were: one may hold a million ids.
_PAGE_BYTES = 2**20
_FIRST_PAGE, _LONGEST_PAGE = 4, 1000
_LONGEST_TRACE = 10_000
_BEGIN, _END = b'{"events": [', b'], "next_since_event_id": '


async def as_json(
    database: CallerDatabase, session_id: UUID, since: UUID | None, limit: int | None
) -> AsyncIterator[bytes]:
    """One JSON object, in parts; what is wrong with the request is raised before the first."""
    page = _Page(limit)
    before = _BEGIN
    while True:
        text = await database.call(
            "audit_trace", session_id=session_id, since_event_id=since, limit=page.size
        )
        end = text.rindex(_END)
        following = text[end + len(_END) : -1]
        if following == b"null" or page.is_last:
            yield before + text[len(_BEGIN) : end] + text[end:]
            return
        yield before + text[len(_BEGIN) : end]
        before = b", "
        since = UUID(following.decode().strip('"'))
        page.turn(len(text))


async def as_lines(
    database: CallerDatabase, session_id: UUID, since: UUID | None, limit: int | None
) -> AsyncIterator[bytes]:
    """A line for each event, as an auditor hashes them."""
    page = _Page(limit)
    while True:
        lines = await database.rows(
            "audit_lines", session_id=session_id, since_event_id=since, limit=page.size
        )
        yield b"".join(line + b"\n" for line in lines)
        if len(lines) < page.size or page.is_last:
            return
        record = msgspec.json.decode(lines[-1])["record"]
        since = UUID(msgspec.json.decode(record)["event_id"])
        page.turn(sum(map(len, lines)))


class _Page:
    """How many events to ask for next, and whether they are the last that are wanted."""

    def __init__(self, limit: int | None) -> None:
        self._left = limit
        self.size = _FIRST_PAGE
        if limit is not None:
            # A limit that is none is the kernel's to refuse.
            is_limit = 1 <= limit <= _LONGEST_TRACE
            self.size = min(limit, _FIRST_PAGE) if is_limit else limit

    @property
    def is_last(self) -> bool:
        return self._left is not None and self._left <= self.size

    def turn(self, n_bytes: int) -> None:
        if self._left is not None:
            self._left -= self.size
        fitting = max(1, self.size * _PAGE_BYTES // max(n_bytes, 1))
        self.size = min(fitting, self.size * 8, _LONGEST_PAGE)
        if self._left is not None:
            self.size = min(self.size, self._left)
