"""Bodies on their way in: each has to come on, and all together take only so much memory."""

import asyncio
from collections import deque

from cmbs.api.shell.headers import HttpRequest, sent
from cmbs.api.shell.refusals import RequestRefused, invalid, too_large

# For how many seconds a body is waited for, and how many bytes it must have for each one more.
PATIENCE, SLOWEST = 20.0, 128 * 1024
# A body is in memory several times: as it came, decoded, and on its way to the database.
MEMORY = 96 * 2**20
# There is room for as many of these as there are connections.
_SMALL = 64 * 1024
# What a byte of gzip can become.
_UNPACKED = 1032


class Memory:
    """How many bytes of bodies there may be at the same time; who finds none waits in line."""

    def __init__(self) -> None:
        self._size = self._left = MEMORY
        self._line: deque[tuple[int, asyncio.Future[None]]] = deque()

    async def take(self, n_bytes: int) -> int:
        """How many are to be given back when the request has been worked off."""
        if n_bytes <= _SMALL:
            return 0
        n_bytes = min(n_bytes, self._size)
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._line.append((n_bytes, turn))
        self._let_in()
        try:
            await asyncio.wait_for(asyncio.shield(turn), PATIENCE)
        except BaseException as error:
            if turn.done():
                self.give_back(n_bytes)
            turn.cancel()
            if isinstance(error, TimeoutError):
                raise RequestRefused("UNAVAILABLE", 503, shed="memory") from None
            raise
        return n_bytes

    def give_back(self, n_bytes: int) -> None:
        self._left += n_bytes
        self._let_in()

    def _let_in(self) -> None:
        while self._line and (self._line[0][1].done() or self._line[0][0] <= self._left):
            n_bytes, turn = self._line.popleft()
            if not turn.done():
                self._left -= n_bytes
                turn.set_result(None)


def memory_for(request: HttpRequest, limit: int) -> int:
    """How much memory the body may take: what it says, or all that it may have."""
    length = b"".join(sent(request, b"content-length"))
    n_bytes = int(length) if length.isdigit() else limit * bool(sent(request, b"transfer-encoding"))
    if length and n_bytes > limit:
        raise too_large(limit)
    if sent(request, b"content-encoding"):
        n_bytes = min(limit, n_bytes * _UNPACKED)
    return n_bytes


async def read(request: HttpRequest, limit: int) -> bytes:
    """All of it; who sends too slowly is not waited for."""
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(PATIENCE) as patience:
            began = asyncio.get_running_loop().time()
            while True:
                event = await request.receive()
                if event["type"] == "http.disconnect":
                    # Nobody is left to read the answer; half a message must not become one.
                    raise invalid("body", "was cut off")
                part: bytes = event.get("body", b"")  # type: ignore[assignment]
                size += len(part)
                if size > limit:
                    raise too_large(limit)
                parts.append(part)
                if not event.get("more_body"):
                    return b"".join(parts)
                patience.reschedule(began + PATIENCE + size / SLOWEST)
    except TimeoutError:
        more = f"{PATIENCE:g} seconds, and one more for each {SLOWEST // 1024} KiB"
        details = {"member": "body", "problem": f"must come within {more}"}
        raise RequestRefused("INVALID_REQUEST", 408, details, shed="slow_body") from None
