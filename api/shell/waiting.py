"""A long poll: an answer that waits for news, or for as long as its caller wants to wait; and what
takes long, which ends with its caller.

The database is asked again and again, over a connection that is given back in between: nothing that
could be lost wakes anybody, and who waits keeps no connection from others.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from cmbs.api.shell.answer import until_gone
from cmbs.api.shell.headers import HttpRequest, number_of
from cmbs.api.shell.refusals import invalid

# Under the minute after which what is between caller and server often takes a connection for dead.
LONGEST = 55
_PAUSE = 0.5


class Gone(asyncio.CancelledError):
    """Whoever asked has closed the connection: nothing can be answered."""


class _Seen(Protocol):
    @property
    def resume_id(self) -> str: ...

    @property
    def is_news(self) -> bool: ...


Seen = TypeVar("Seen", bound=_Seen)
Found = TypeVar("Found")


def seconds_of(parameters: dict[str, str]) -> int:
    """For how long the caller waits: not at all, unless it says so."""
    seconds = number_of(parameters, "wait") or 0
    if seconds > LONGEST:
        raise invalid("wait", f"must be a whole number of seconds, at most {LONGEST}")
    return seconds


async def until_news(
    request: HttpRequest, look: Callable[[], Awaitable[Seen]], known: str | None, seconds: int
) -> Seen:
    """What is to be seen, as soon as it is other than what is known; who knows nothing yet waits
    for what is news to everybody. Not longer than the seconds, than the caller is there, and than
    the server runs."""
    clock = asyncio.get_running_loop().time
    until = clock() + seconds
    seen = await look()
    if not seconds or _is_news(seen, known):
        return seen
    with _ends(request) as ends:
        while not _is_news(seen, known) and (left := until - clock()) > 0:
            done, _ = await asyncio.wait(
                ends, timeout=min(left, _PAUSE), return_when=asyncio.FIRST_COMPLETED
            )
            if done:
                break
            seen = await look()
    return seen


async def while_there(request: HttpRequest, work: Coroutine[Any, Any, Found]) -> Found:
    """What takes long, and is ended when nobody is there any more who asked for it."""
    state = request.scope["state"]
    # Whether somebody who sends no more has gone is found out then; see protocol.py.
    state["is_long"] = True
    task = asyncio.create_task(work)
    gone = asyncio.create_task(until_gone(request.receive))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            state["is_gone"] = True
            raise Gone
        return await task
    finally:
        state["is_long"] = False
        gone.cancel()
        # The connection is only free when PostgreSQL has given up; psycopg gives it ten seconds.
        # Up to Python 3.11 a wait that is over at this moment swallows a cancellation.
        while not task.done():
            task.cancel()
            await asyncio.wait({task}, timeout=11)


def _is_news(seen: _Seen, known: str | None) -> bool:
    return seen.is_news if known is None else seen.resume_id != known


@contextmanager
def _ends(request: HttpRequest) -> Iterator[set[asyncio.Task[Any]]]:
    """What ends every wait: the caller has gone, or sends no more, or the server stops."""
    ends = {asyncio.create_task(until_gone(request.receive))}
    if hurry := request.scope["state"].get("hurry"):
        ends.add(asyncio.create_task(hurry.wait()))
    try:
        yield ends
    finally:
        for end in ends:
            end.cancel()
