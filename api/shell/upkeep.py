"""What a server does unasked: sweeps sessions in which something is due, tells webhooks and a Tee.

Every process of a server does it. Two that find the same are no harm: whoever comes second finds
nothing due any more, and a message is taken by one of them.
"""

import asyncio
import hmac
import logging
import random
import time
from base64 import b64encode
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from uuid import UUID

import httpx
import psycopg
from msgspec import Struct
from msgspec.json import Decoder
from psycopg import errors

from cmbs.common.log import line
from cmbs.database.pool import Database
from cmbs.tee.mirror import Mirror, TeeAway

log = logging.getLogger("cmbs.upkeep")

_SESSIONS = 100
# A receiver that is slow keeps no more than these from others, and none for longer than this.
_AT_ONCE, _PATIENCE = 4, 10.0
# How often the pause may double while the database is away: to a bit more than a minute and a half.
_DOUBLINGS = 5
# Somebody else writes the session, who does what is due as well or leaves it for the next round.
_BUSY = (
    *(errors.LockNotAvailable, errors.QueryCanceled),
    *(errors.SerializationFailure, errors.DeadlockDetected),
)
_GONE = 410
# After how many seconds a server looks again for what a Tee is to be told.
_MIRROR_PAUSE = 0.5


class _Due(Struct):
    sessions: list[UUID]


class _Message(Struct):
    session_id: UUID
    message_id: UUID
    url: str | None
    secret: str | None
    body: str


class _Taken(Struct):
    messages: list[_Message]


_DUE, _TAKEN = Decoder(_Due), Decoder(_Taken)


class Upkeep:
    """The task of one process."""

    def __init__(
        self, store: Database, pause: float, told: Callable[[str, str], None] | None = None
    ) -> None:
        """`told`: hears of each round what it was for, and its outcome: ok, failed, read_only."""
        self._store, self._pause, self._told = store, pause, told
        self._outcomes: dict[str, str] = {}
        self._on_their_way: set[asyncio.Task[None]] = set()
        # What the log says already, until the same goes well again.
        self._noted: dict[str, set[str]] = {}
        self._mirror = Mirror(store.call)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        task = asyncio.create_task(self._run())
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
            await self._mirror.close()

    async def mirror(self) -> None:
        """Tell a Tee, and do nothing else, until it is cancelled."""
        try:
            await self._forever("mirror", self._tell_tee)
        finally:
            await self._mirror.close()

    async def _run(self) -> None:
        limits = httpx.Limits(max_connections=_AT_ONCE)
        async with (
            # Neither a proxy nor a password that the environment means for others.
            httpx.AsyncClient(timeout=_PATIENCE, limits=limits, trust_env=False) as self._client,
            asyncio.TaskGroup() as self._group,
        ):
            self._group.create_task(self._forever("sweep", self._sweep))
            self._group.create_task(self._forever("webhooks", self._tell))
            self._group.create_task(self._forever("mirror", self._tell_tee))

    async def _forever(self, what: str, once: Callable[[], Awaitable[bool]]) -> None:
        """Again and again; at once, as long as there may be more to do."""
        n_failures = 0
        # Processes that were started together need not ask together.
        await asyncio.sleep(self._pause * random.random())
        while True:
            self._outcomes[what] = "ok"
            try:
                is_more = await once()
            except Exception as error:
                self._note(what, error)
                is_more, n_failures = False, min(n_failures + 1, _DOUBLINGS)
            else:
                n_failures = 0
            if self._told:
                self._told(what, self._outcomes[what])
            task = asyncio.current_task()
            if task and task.cancelling():
                # Up to Python 3.11 a wait that is over at this moment swallows a cancellation.
                raise asyncio.CancelledError
            if not is_more:
                await asyncio.sleep(self._pause * 2**n_failures)

    async def _tell_tee(self) -> bool:
        asked_at = time.monotonic()
        is_more = await self._mirror.once()
        self._noted.pop("mirror", None)
        if is_more or self._mirror.address is None:
            return is_more
        # Where there is a Tee, it is told soon; but where so many wait in vain that to look takes
        # long, not all the time.
        took = time.monotonic() - asked_at
        await asyncio.sleep(max(min(self._pause, _MIRROR_PAUSE), 20 * took))
        return True

    async def _sweep(self) -> bool:
        due = _DUE.decode(await self._store.call("list_due", limit=_SESSIONS)).sessions
        n_swept, is_well = 0, True
        for session in due:
            try:
                await self._store.call("sweep_expired", session_id=session)
                n_swept += 1
            except _BUSY:
                continue
            except psycopg.OperationalError:
                raise
            except psycopg.Error as error:
                # What is wrong with one session is no reason to leave others waiting.
                self._note("sweep", error)
                is_well = False
        if is_well:
            self._noted.pop("sweep", None)
        return n_swept == _SESSIONS

    async def _tell(self) -> bool:
        free = _AT_ONCE - len(self._on_their_way)
        if not free:
            await asyncio.wait(self._on_their_way, return_when=asyncio.FIRST_COMPLETED)
            return True
        taken = _TAKEN.decode(await self._store.call("take_webhooks", limit=free)).messages
        self._noted.pop("webhooks", None)
        for message in taken:
            task = self._group.create_task(self._deliver(message))
            self._on_their_way.add(task)
            task.add_done_callback(self._on_their_way.discard)
        return len(taken) == free

    async def _deliver(self, message: _Message) -> None:
        """One attempt; what came of it is noted, or else it is due again after a while."""
        failure, is_gone = "nobody is to be told", True
        if message.url is not None:
            failure, is_gone = await self._send(message, message.url)
        try:
            await self._store.call(
                "settle_webhook",
                session_id=message.session_id,
                message_id=message.message_id,
                error=failure or None,
                is_gone=is_gone,
            )
        except Exception as error:
            self._note("webhooks", error)

    async def _send(self, message: _Message, url: str) -> tuple[str, bool]:
        """Why a message was not delivered, if it was not, and whether it never will be."""
        body = message.body.encode()
        try:
            # What follows the head of an answer is nobody's interest, and may have no end.
            async with (
                asyncio.timeout(_PATIENCE),
                self._client.stream(
                    "POST", url, content=body, headers=_signed(message, body)
                ) as answer,
            ):
                status = answer.status_code
        except (TimeoutError, httpx.TimeoutException):
            return f"did not answer within {_PATIENCE:g} seconds", False
        except Exception as error:
            # Without what it says: that may be the address, or what stands in it.
            return f"could not be reached: {type(error).__name__}", False
        finally:
            self._client.cookies.clear()
        return "" if 200 <= status < 300 else f"answered {status}", status == _GONE

    def _note(self, what: str, error: BaseException) -> None:
        """For operators, once and without any value; that a standby takes nothing is as it is."""
        if isinstance(error, errors.ReadOnlySqlTransaction):
            self._outcomes[what] = "read_only"
            return
        self._outcomes[what] = "failed"
        kind = type(error).__name__
        noted = self._noted.setdefault(what, set())
        if kind in noted:
            return
        noted.add(kind)
        found: dict[str, str | None] = {"upkeep": what, "error": kind}
        if isinstance(error, psycopg.Error):
            found |= {"sqlstate": error.sqlstate, "message": error.diag.message_primary}
        elif isinstance(error, TeeAway):
            found["message"] = str(error)
        log.warning(line("upkeep", "warning", **found))


async def mirroring(url: str, pause: float = 3.0) -> None:
    """The mirror by itself, over a database."""
    store = Database(url, connections=2, waiting=100, patience=3.0)
    async with store.opened():
        await Upkeep(store, pause).mirror()


def _signed(message: _Message, body: bytes) -> dict[str, str]:
    """The headers of Standard Webhooks, by which a receiver knows who tells it, what and when."""
    sent_at = int(time.time())
    signed = f"{message.message_id}.{sent_at}.".encode() + body
    digest = hmac.digest((message.secret or "").encode(), signed, "sha256")
    return {
        "content-type": "application/json",
        "webhook-id": str(message.message_id),
        "webhook-timestamp": str(sent_at),
        "webhook-signature": f"v1,{b64encode(digest).decode()}",
    }
