"""Lists that a server gives a page at a time."""

from collections.abc import Callable
from typing import Generic, TypeVar

from cmbs.client.flow import Conversation, Flow, Listing
from cmbs.client.request import Members, get

T = TypeVar("T")
_PAGE = 100


def listing(
    path: str,
    since: str,
    member: str,
    following: str,
    read: Callable[[Members], T],
    **query: object,
) -> Listing[T]:
    """What the pages hold under `member`; each says in `following` what to ask the next with, as
    the parameter `since`."""
    return lambda conversation: _Pages(
        conversation,
        path,
        {**query, "limit": _PAGE},
        since,
        lambda page: ([read(one) for one in page[member]], page[following]),
    )


class _Pages(Generic[T]):
    def __init__(
        self,
        conversation: Conversation,
        path: str,
        query: dict[str, object],
        since: str,
        read: Callable[[Members], tuple[list[T], str | int | None]],
    ) -> None:
        self._conversation, self._path, self._query = conversation, path, query
        self._since, self._read = since, read
        self._page: list[T] = []
        self._cursors: set[str | int] = set()
        self._is_last = False

    def next(self) -> Flow[T | None]:
        while not self._page and not self._is_last:
            asked = get(self._path, self._checked, **self._query)
            (self._page, cursor), _ = yield from self._conversation.ask(asked)
            self._page.reverse()
            self._query[self._since], self._is_last = cursor, cursor is None
        return self._page.pop() if self._page else None

    def _checked(self, answer: Members) -> tuple[list[T], str | int | None]:
        page, cursor = self._read(answer)
        if cursor is not None:
            # Whoever would follow it would never come to an end.
            if not page or cursor in self._cursors:
                raise ValueError("the pages have no end")
            self._cursors.add(cursor)
        return page, cursor
