"""Calling the verbs of the kernel: one verb is one statement."""

import functools
import select
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import psycopg
from psycopg import sql

from cmbs import errors  # noqa: F401  (registers the classes that verbs raise)


@functools.cache
def statement(verb: str, names: tuple[str, ...]) -> bytes:
    """The call of a verb with named arguments (without their `p_`), values to follow in order.

    The call is bare, as a sharded server needs it to send it to the node that owns the session.
    """
    named = [
        sql.SQL("{} => {}").format(sql.Identifier(f"p_{name}"), sql.Placeholder()) for name in names
    ]
    call = sql.SQL("select cmbs.{}({})").format(sql.Identifier(verb), sql.SQL(", ").join(named))
    return call.as_bytes(None)


def call(connection: psycopg.Connection[Any], verb: str, **arguments: object) -> Any:
    """Call a verb and return its answer."""
    row = connection.execute(statement(verb, tuple(arguments)), [*arguments.values()]).fetchone()
    return row[0] if row else None


def stream(connection: psycopg.Connection[Any], verb: str, **arguments: object) -> Iterator[Any]:
    """Call a verb that answers with a set, of which one row at a time is in memory."""
    with connection.cursor() as cursor:
        for row in cursor.stream(statement(verb, tuple(arguments)), [*arguments.values()]):
            yield row[0]


def is_quiet(connection: psycopg.Connection[Any] | psycopg.AsyncConnection[Any]) -> bool:
    """An idle connection has nothing to read, unless the server has closed it."""
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return not poll.poll(0)


def verify(connection: psycopg.Connection[Any], session_id: UUID) -> dict[str, Any]:
    """Recompute one session from its log and compare with what is stored."""
    answer: dict[str, Any] = call(connection, "verify", session_id=session_id)
    return answer
