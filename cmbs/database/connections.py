"""The connections of commands, and the views through SQLAlchemy Core."""

from typing import TYPE_CHECKING, Any

import psycopg

if TYPE_CHECKING:
    import sqlalchemy as sa

READ_COMMITTED = b"set default_transaction_isolation = 'read committed'"


def connect(url: str, *, autocommit: bool = False) -> psycopg.Connection[Any]:
    """A connection that a registered login can write over, whatever isolation is the default."""
    connection = psycopg.connect(url, autocommit=True)
    isolate(connection)
    connection.autocommit = autocommit
    return connection


def isolate(connection: psycopg.Connection[Any]) -> None:
    connection.execute(READ_COMMITTED)


def engine(url: str) -> "sa.Engine":
    import sqlalchemy as sa

    # libpq reads more forms of an address than SQLAlchemy does.
    return sa.create_engine(
        "postgresql+psycopg://", creator=lambda: connect(url), poolclass=sa.NullPool
    )
