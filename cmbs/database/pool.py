"""The pool of connections, and a verb called over it: JSON text comes back as it is stored."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cached_property
from typing import Any, NamedTuple, Self

import psycopg
from psycopg import AsyncConnection, adapt, errors
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import AsyncConnectionPool, PoolTimeout, TooManyRequests

from cmbs.common.log import line
from cmbs.database.calls import is_quiet, statement
from cmbs.database.connections import READ_COMMITTED

log = logging.getLogger("cmbs.api")

# What the role cmbs_server has by itself; other logins are held to it too.
_TIMEOUTS = (
    "-c statement_timeout=30s -c lock_timeout=10s -c idle_in_transaction_session_timeout=10s"
)
_TRIES = 3
# The loser of a race waits for so many seconds, times its tries so far: the winner has to wake up
# before it can take the locks.
_AFTER_A_LOST_RACE = 0.05
# An argument that is null and not left out, because its parameter has no default.
NULL = object()


class AsSent(adapt.Loader):
    """Leaves what the server sent as it is."""

    def load(self, data: adapt.Buffer) -> bytes:
        return bytes(data)


# What takes as long as a log, a graph or a space is long. Its readers have connections and a queue
# of their own: else a few of them keep everybody from writing.
LONG = frozenset(
    {
        *("verify", "verify_identities", "whatif", "explain", "diff", "replay_policy"),
        *("audit_trace", "audit_lines", "audit_identities", "read_space", "list_sessions"),
        *("read_main_graph", "read_live_view", "read_tombstones"),
    }
)
# It has a connection of its own, so that no load makes the database look as if it were away.
_WATCHING = "read_metrics"
# For how many seconds its readers wait for one another: as long as a statement may take.
_READERS_PATIENCE = 30.0
# And for a connection, once the database was found away.
_BACK = 0.1


class Usage(NamedTuple):
    """How many connections there are, how many of them work, and how many calls wait for one."""

    size: int
    in_use: int
    waiting: int


class Database:
    """Verbs over connections that find a database again when it comes back."""

    def __init__(
        self, url: str, connections: int, waiting: int, patience: float, readers: int = 0
    ) -> None:
        """`readers`: how many connections there are for what is long, if it has its own."""
        adapters = adapt.AdaptersMap(psycopg.adapters)
        for name in ("json", "text"):
            adapters.register_loader(name, AsSent)
        arguments: dict[str, Any] = {"autocommit": True, "context": _Context(adapters)}
        # An operator who sets options sets these too.
        if not conninfo_to_dict(url).get("options"):
            arguments["options"] = _TIMEOUTS
        arguments["connect_timeout"] = 5
        kind = _noted(_Sight())
        self._quick = _Connections(url, arguments, kind, connections, waiting, patience)
        self._long = self._quick
        if readers:
            self._long = _Line(url, arguments, kind, readers, waiting, patience)
        # Made when it is first asked for: few processes of a server are.
        self._watching = _Connections(url, arguments, kind, 1, waiting, patience, at_least=0)

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for connections in {self._quick, self._long, self._watching}:
                await stack.enter_async_context(connections.pool)
            yield

    def usage(self) -> dict[str, Usage]:
        """What becomes of the connections at this moment."""
        return {"callers": self._quick.usage(), "long": self._long.usage()}

    async def call(self, verb: str, **arguments: object) -> bytes:
        """Call a verb that returns one value; a lost race for locks is run again."""
        return (await self.rows(verb, **arguments))[0]

    async def rows(self, verb: str, **arguments: object) -> list[bytes]:
        # What is left out has its default, which is the same and costs nothing.
        given = {name: value for name, value in arguments.items() if value is not None}
        values = [None if value is NULL else value for value in given.values()]
        connections = self._long if verb in LONG else self._quick
        if verb == _WATCHING:
            connections = self._watching
        return await connections.rows(statement(verb, tuple(given)), values)


class _Sight:
    """Whether the database is there, of which a change is worth a line of the log."""

    def __init__(self) -> None:
        self._is_lost = False

    def lost(self, conninfo: str, error: psycopg.Error) -> None:
        if not self._is_lost:
            self._is_lost = True
            where = conninfo_to_dict(conninfo)
            cause = " ".join(str(error).split())
            address = {"host": where.get("host"), "port": where.get("port")}
            log.error(line("database lost", "error", **address, message=cause))

    def found(self) -> None:
        if self._is_lost:
            self._is_lost = False
            log.warning(line("database back", "warning"))


def _noted(sight: _Sight) -> type[AsyncConnection[Any]]:
    """Connections of which it is noted whether they could be made."""

    class Noted(AsyncConnection[Any]):
        @classmethod
        async def connect(cls, conninfo: str = "", **given: Any) -> Self:
            try:
                connection = await super().connect(conninfo, **given)
            except psycopg.OperationalError as error:
                sight.lost(conninfo, error)
                raise
            sight.found()
            return connection

    return Noted


class Busy(PoolTimeout):
    """The database is well, and all connections are at work."""


class LongReadsBusy(Busy):
    """Those for what is long are, and for longer than anybody waits."""


class LongReadsFull(TooManyRequests):
    """More wait for what is long than may."""


class _Connections:
    """Some connections, and those who wait for one."""

    def __init__(
        self,
        url: str,
        arguments: dict[str, Any],
        kind: type[AsyncConnection[Any]],
        size: int,
        waiting: int,
        patience: float,
        at_least: int | None = None,
    ) -> None:
        self._size, self._working = size, 0
        self._at_once, self._most_at_once = 0, size + waiting
        self.pool = AsyncConnectionPool(
            url,
            connection_class=kind,
            kwargs=arguments,
            min_size=size if at_least is None else at_least,
            max_size=size,
            configure=_isolated,
            max_waiting=waiting,
            timeout=patience,
            # Its pauses between two attempts grow as long as it is patient.
            reconnect_timeout=2,
            open=False,
        )

    def usage(self) -> Usage:
        return Usage(self._size, self._working, self._at_once - self._working)

    async def rows(self, query: bytes, values: list[object]) -> list[bytes]:
        self._at_once += 1
        try:
            return await self._rows(query, values)
        except TooManyRequests:
            # The pool counts those too who waited in vain, until it has a connection again.
            if self._at_once > self._most_at_once:
                raise
            raise PoolTimeout from None
        except Busy:
            raise
        except PoolTimeout:
            # Where the database is away nobody has a connection for long.
            if self._working >= self._size:
                raise Busy from None
            raise
        finally:
            self._at_once -= 1

    async def _rows(self, query: bytes, values: list[object]) -> list[bytes]:
        for attempt in range(1, _TRIES + 1):
            connection = await self._connection()
            self._working += 1
            try:
                cursor = await connection.execute(query, values)
                return [row[0] for row in await cursor.fetchall()]
            except (errors.SerializationFailure, errors.DeadlockDetected):
                if attempt == _TRIES:
                    raise
            finally:
                self._working -= 1
                await self.pool.putconn(connection)
            await asyncio.sleep(_AFTER_A_LOST_RACE * attempt)
        raise AssertionError("unreachable")

    async def _connection(self, patience: float | None = None) -> AsyncConnection[Any]:
        """A connection that the server has not closed while it was idle."""
        for _ in range(self.pool.max_size + 1):
            connection = await self.pool.getconn(patience)
            if is_quiet(connection):
                return connection
            # A check of the pool's own would give it back unless it is closed, and then wait.
            await connection.close()
            await self.pool.putconn(connection)
        raise psycopg.OperationalError("the connections are closed faster than they are made")


class _Line(_Connections):
    """Those who wait for one another are more patient than those who wait for the database."""

    _is_away = False

    @cached_property
    def _turns(self) -> asyncio.Semaphore:
        return asyncio.Semaphore(self._size)

    async def _rows(self, query: bytes, values: list[object]) -> list[bytes]:
        if self._at_once > self._most_at_once:
            raise LongReadsFull
        try:
            await asyncio.wait_for(self._turns.acquire(), _READERS_PATIENCE)
        except TimeoutError:
            raise LongReadsBusy from None
        try:
            return await super()._rows(query, values)
        finally:
            self._turns.release()

    async def _connection(self, patience: float | None = None) -> AsyncConnection[Any]:
        """Who stood in line while others found the database away need not find it out as slowly."""
        try:
            connection = await super()._connection(_BACK if self._is_away else patience)
        except PoolTimeout:
            self._is_away = not self._working
            raise
        self._is_away = False
        return connection


async def _isolated(connection: AsyncConnection[Any]) -> None:
    """No verb takes a token where a revocation would not be seen, whatever is the default here."""
    await connection.execute(READ_COMMITTED)


class _Context:
    """Where psycopg looks for adapters when a connection is made."""

    connection = None

    def __init__(self, adapters: adapt.AdaptersMap) -> None:
        self.adapters = adapters
