"""Calling the verbs of the kernel: one verb is one statement."""

from typing import Any
from uuid import UUID

import psycopg
from psycopg import sql

from cmbs import errors  # noqa: F401  (registers the classes that verbs raise)


def call(connection: psycopg.Connection[Any], verb: str, **arguments: object) -> Any:
    """Call a verb with named arguments (without their `p_`) and return its answer.

    The call is bare, as a sharded server needs it to send it to the node that owns the session.
    """
    named = [
        sql.SQL("{} => {}").format(sql.Identifier(f"p_{name}"), sql.Placeholder(name))
        for name in arguments
    ]
    statement = sql.SQL("select cmbs.{}({})").format(
        sql.Identifier(verb), sql.SQL(", ").join(named)
    )
    row = connection.execute(statement, arguments).fetchone()
    return row[0] if row else None


def verify(connection: psycopg.Connection[Any], session_id: UUID) -> dict[str, Any]:
    """Recompute one session from its log and compare with what is stored."""
    answer: dict[str, Any] = call(connection, "verify", session_id=session_id)
    return answer
