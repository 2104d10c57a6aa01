"""Verbs and views of a database, for commands and what they print."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import psycopg

from cmbs.database import calls
from cmbs.database.connections import engine

if TYPE_CHECKING:
    import sqlalchemy as sa


@dataclass(frozen=True)
class Verbs:
    """Verbs of a database, whose answers come as they were written: no number loses a digit."""

    url: str
    connection: psycopg.Connection[Any]

    def __call__(self, verb: str, **arguments: object) -> str:
        answer: str = calls.call(self.connection, verb, **arguments)
        return answer

    def rows(self, query: "sa.Select[Any]") -> list[dict[str, Any]]:
        with engine(self.url).connect() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]

    def rows_if_allowed(self, query: "sa.Select[Any]") -> list[dict[str, Any]] | None:
        """As `rows`; None for a login that does not see the views."""
        # Whoever has a query has loaded it: a command that calls verbs alone does without.
        from sqlalchemy.exc import ProgrammingError

        try:
            return self.rows(query)
        except ProgrammingError:
            return None
