"""What a monitor asks for, in the text format of Prometheus: what the processes of the server have
counted, and what the database knows of itself."""

import asyncio
import platform
import time
from collections import OrderedDict
from collections.abc import Coroutine
from typing import Any

import msgspec
import psycopg
from litestar import get
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from cmbs import __version__
from cmbs.api.rooms.operations import database_metrics
from cmbs.api.rooms.operations.database_metrics import Reading
from cmbs.api.shell.answer import Answer
from cmbs.api.shell.headers import HttpRequest
from cmbs.api.shell.limits import shorten
from cmbs.api.shell.metrics import Counters
from cmbs.api.shell.refusals import RequestRefused
from cmbs.api.shell.routes_common import database
from cmbs.database.pool import Database
from cmbs.deploy.migrate import head

KIND = CONTENT_TYPE_PLAIN_0_0_4
# For so long a reading is told again, and a scrape waits for one; Prometheus itself waits for ten.
_AGE, _PATIENCE = 1.0, 5.0


@get("/metrics", gives=Reading, text=KIND)
async def metrics(request: HttpRequest) -> Answer:
    """Numbers for Prometheus; for who watches all tenants, and for programs of this machine."""
    scrapes: Scrapes = request.app.state.scrapes
    state = request.scope["state"]
    if state["credential"]:
        reading = await scrapes.for_token(request, state["credential"])
    elif state["is_near"]:
        reading = await scrapes.for_this_machine()
    else:
        raise RequestRefused("UNAUTHENTICATED", 401, {"credential": "missing"})
    return Answer(await scrapes.text(reading), kind=KIND.encode())


class Scrapes:
    """Scrapes of one process, however many ask at once: one reads and one writes for all."""

    def __init__(self, store: Database, counters: Counters) -> None:
        self._store, self._counters = store, counters
        self._readings: OrderedDict[bytes, tuple[float, asyncio.Task[bytes]]] = OrderedDict()
        # Who was answered last with which rights, by the credential.
        self._known: OrderedDict[bytes, bytes] = OrderedDict()
        self._asking: OrderedDict[bytes, asyncio.Task[bytes]] = OrderedDict()
        self._writing: asyncio.Task[bytes] | None = None
        self._next: asyncio.Task[bytes] | None = None
        self._postgresql = "unknown"

    async def for_this_machine(self) -> Reading | None:
        """None where the database does not answer in time."""
        try:
            return await self._read(b"", self._store.call("read_metrics"))
        except (psycopg.OperationalError, TimeoutError):
            return None

    async def for_token(self, request: HttpRequest, credential: bytes) -> Reading | None:
        """The same; None for nobody else than who was answered before, with the same rights."""
        who = self._known.get(credential)
        try:
            async with asyncio.timeout(_PATIENCE):
                # What became of a token since is seen at once, and another's reading is nobody's.
                who = await self._identified(request, credential)
                reading = self._store.call("read_metrics", credential=credential)
                found = await self._read(credential + who, reading)
        except (psycopg.OperationalError, TimeoutError) as error:
            if who is None or self._known.get(credential) != who:
                if isinstance(error, TimeoutError):
                    raise RequestRefused("UNAVAILABLE", 503, shed="database_away") from None
                raise
            return None
        self._known[credential] = who
        shorten(self._known)
        return found

    async def _identified(self, request: HttpRequest, credential: bytes) -> bytes:
        """Who shows the token; a database that does not answer is asked once, not each time."""
        task = self._asking.get(credential)
        if task is None or task.done():
            task = asyncio.create_task(database(request).call("identify"))
            # Nobody may be left to hear of it.
            task.add_done_callback(_failed)
            self._asking[credential] = task
            shorten(self._asking)
        return await asyncio.shield(task)

    async def _read(self, who: bytes, reading: Coroutine[Any, Any, bytes]) -> Reading:
        """What the database says now, or said a moment ago."""
        began, task = self._readings.get(who, (0.0, None))
        if task is None or (task.done() and (_failed(task) or began + _AGE < time.monotonic())):
            task = asyncio.create_task(reading)
            self._readings[who] = time.monotonic(), task
            shorten(self._readings)
        else:
            reading.close()
        answer = await asyncio.wait_for(asyncio.shield(task), _PATIENCE)
        return msgspec.json.decode(answer, type=Reading)

    async def text(self, reading: Reading | None) -> bytes:
        """All that is known. What was counted is read after it was asked for: no counter goes back
        for somebody who asks two processes in turn."""
        if self._next is None:
            self._next = asyncio.create_task(self._write(self._writing))
        counted = await asyncio.shield(self._next)
        if reading:
            self._postgresql = reading.postgresql
        build = {
            "version": __version__,
            "revision": head(),
            "python": platform.python_version(),
            "postgresql": self._postgresql,
        }
        if not counted:
            # Without its files a server would seem to have counted nothing.
            raise RequestRefused("INTERNAL", 500)
        told = database_metrics.text(reading, build, self._counters.kept.since)
        return counted + told

    async def _write(self, before: asyncio.Task[bytes] | None) -> bytes:
        if before:
            await asyncio.wait({before})
        self._writing, self._next = self._next, None
        self._counters.look(self._store)
        return await asyncio.to_thread(self._counters.text)


def _failed(task: asyncio.Task[bytes]) -> bool:
    return task.cancelled() or task.exception() is not None
