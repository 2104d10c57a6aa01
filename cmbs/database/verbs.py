"""Verbs and views of a database, for commands and what they print."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, LiteralString

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

    def row(self, query: LiteralString, *values: object) -> tuple[Any, ...] | None:
        """The one row of a query on the views, if there is one."""
        found: tuple[Any, ...] | None = self.connection.execute(query, values).fetchone()
        return found

    def row_if_allowed(self, query: LiteralString, *values: object) -> tuple[Any, ...] | None:
        """As `row`; none also for a login that does not see the views."""
        try:
            return self.row(query, *values)
        except psycopg.ProgrammingError:
            return None

    def rows(self, query: "sa.Select[Any]") -> list[dict[str, Any]]:
        with engine(self.url).connect() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]
