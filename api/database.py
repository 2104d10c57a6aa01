"""The pool of connections, and a verb called over it: JSON text comes back as it is stored."""

from typing import Any

import psycopg
from psycopg import AsyncConnection, adapt, errors
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import AsyncConnectionPool, PoolTimeout, TooManyRequests

from cmbs.calls import is_quiet, statement
from cmbs.database import READ_COMMITTED

# What the role cmbs_server has by itself; other logins are held to it too.
_TIMEOUTS = (
    "-c statement_timeout=30s -c lock_timeout=10s -c idle_in_transaction_session_timeout=10s"
)
_TRIES = 3
# An argument that is null and not left out, because its parameter has no default.
NULL = object()


class AsSent(adapt.Loader):
    """Leaves what the server sent as it is."""

    def load(self, data: adapt.Buffer) -> bytes:
        return bytes(data)


class Database:
    """Verbs over a pool that finds a database again when it comes back."""

    def __init__(self, url: str, connections: int, waiting: int, patience: float) -> None:
        adapters = adapt.AdaptersMap(psycopg.adapters)
        for name in ("json", "text"):
            adapters.register_loader(name, AsSent)
        arguments: dict[str, Any] = {"autocommit": True, "context": _Context(adapters)}
        # An operator who sets options sets these too.
        if not conninfo_to_dict(url).get("options"):
            arguments["options"] = _TIMEOUTS
        self._at_once, self._most_at_once = 0, connections + waiting
        self.pool = AsyncConnectionPool(
            url,
            kwargs=arguments | {"connect_timeout": 5},
            min_size=connections,
            max_size=connections,
            configure=_isolated,
            max_waiting=waiting,
            timeout=patience,
            # Its pauses between two attempts grow as long as it is patient.
            reconnect_timeout=2,
            open=False,
        )

    async def call(self, verb: str, **arguments: object) -> bytes:
        """Call a verb that returns one value; a lost race for locks is run again."""
        return (await self.rows(verb, **arguments))[0]

    async def rows(self, verb: str, **arguments: object) -> list[bytes]:
        # What is left out has its default, which is the same and costs nothing.
        given = {name: value for name, value in arguments.items() if value is not None}
        self._at_once += 1
        try:
            values = [None if value is NULL else value for value in given.values()]
            return await self._rows(statement(verb, tuple(given)), values)
        except TooManyRequests:
            # The pool counts those too who waited in vain, until it has a connection again.
            if self._at_once > self._most_at_once:
                raise
            raise PoolTimeout from None
        finally:
            self._at_once -= 1

    async def _rows(self, query: bytes, values: list[object]) -> list[bytes]:
        for attempt in range(1, _TRIES + 1):
            connection = await self._connection()
            try:
                cursor = await connection.execute(query, values)
                return [row[0] for row in await cursor.fetchall()]
            except (errors.SerializationFailure, errors.DeadlockDetected):
                if attempt == _TRIES:
                    raise
            finally:
                await self.pool.putconn(connection)
        raise AssertionError("unreachable")

    async def _connection(self) -> AsyncConnection[Any]:
        """A connection that the server has not closed while it was idle."""
        for _ in range(self.pool.max_size + 1):
            connection = await self.pool.getconn()
            if is_quiet(connection):
                return connection
            # A check of the pool's own would give it back unless it is closed, and then wait.
            await connection.close()
            await self.pool.putconn(connection)
        raise psycopg.OperationalError("the connections are closed faster than they are made")


async def _isolated(connection: AsyncConnection[Any]) -> None:
    """No verb takes a token where a revocation would not be seen, whatever is the default here."""
    await connection.execute(READ_COMMITTED)


class _Context:
    """Where psycopg looks for adapters when a connection is made."""

    connection = None

    def __init__(self, adapters: adapt.AdaptersMap) -> None:
        self.adapters = adapters
