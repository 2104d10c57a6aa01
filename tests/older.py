"""Databases as they were before: the migrations up to a revision, and rows of today in them."""

import contextlib
import re
from pathlib import Path

import psycopg
import sqlalchemy as sa
from alembic import command
from psycopg import sql

from cmbs.deploy import migrate
from cmbs.deploy.resources import migrations_dir, sql_dir
from tests.beliefs import TABLES, Connection

# A table and a row of it on each line, as it was written: no number is read and written anew.
_ROWS = Path(__file__).with_name("older_0007.txt")
_DROPPED = re.compile(r"^drop function (?:if exists )?(cmbs[\w.]*\([^)]*\));$", re.MULTILINE)


def create(conninfo: str, revision: str) -> None:
    """Roles, schemas and tables of a revision, and of the functions the one that tells it."""
    with migrate._engine(conninfo).begin() as connection:
        migrate._run(connection, *migrate._before_migrations())
        with migrate._ONE_AT_A_TIME:
            command.upgrade(migrate._config(connection), revision)
        connection.execute(sa.text("reset role"))
        connection.exec_driver_sql((sql_dir() / "verbs" / "revision.sql").read_text())
        connection.exec_driver_sql(
            "alter function cmbs.revision(bytea) owner to cmbs_kernel; "
            "grant usage on schema cmbs, cmbs_store to cmbs_kernel; "
            "grant select on cmbs_store.revision to cmbs_kernel"
        )


def add_dropped_functions(connection: Connection, after: str) -> None:
    """Functions of the signatures that later migrations drop."""
    for path in sorted((migrations_dir() / "versions").glob("*.sql")):
        if path.name[:4] <= after:
            continue
        for name in _DROPPED.findall(path.read_text()):
            # Of a type that is not there yet no function was there.
            with contextlib.suppress(psycopg.errors.UndefinedObject):
                connection.execute(
                    f"create or replace function {name} returns text language sql "
                    f"as 'select null'; alter function {name} owner to cmbs_kernel".encode()
                )


def copy_rows(source: Connection, target: Connection) -> dict[str, int]:
    """The rows of a migrated database, as an older one would hold them; how many of each table."""
    copied = {}
    for table in TABLES:
        columns = [
            column
            for (column,) in target.execute(
                "select column_name from information_schema.columns "
                "where table_schema = 'cmbs_store' and table_name = %s order by ordinal_position",
                [table],
            )
        ]
        if not columns:
            continue
        name = sql.Identifier("cmbs_store", table)
        names = sql.SQL(", ").join(map(sql.Identifier, columns))
        target.execute(sql.SQL("delete from {}").format(name))
        read = sql.SQL("copy (select {} from {}) to stdout").format(names, name)
        write = sql.SQL("copy {} ({}) from stdin").format(name, names)
        with source.cursor().copy(read) as rows, target.cursor().copy(write) as into:
            for row in rows:
                into.write(row)
        ((copied[table],),) = target.execute(
            sql.SQL("select count(*) from {}").format(name)
        ).fetchall()
    return copied


def load(target: Connection) -> dict[str, int]:
    """The rows that a database of revision 0007 held after the verbs of that time had filled it.

    Its clock was of 2090, so that the questions that people were asked have not run out.
    """
    rows = [line.split(" ", 1) for line in _ROWS.read_text(encoding="utf-8").split("\n")[:-1]]
    loaded = dict.fromkeys((table for table, _ in rows), 0)
    for table in reversed(loaded):
        # What the migrations put there is among the rows.
        target.execute(sql.SQL("delete from {}").format(sql.Identifier("cmbs_store", table)))
    for table, row in rows:
        name = sql.Identifier("cmbs_store", table)
        statement = sql.SQL("insert into {} select * from jsonb_populate_record(null::{}, %s)")
        target.execute(statement.format(name, name), [row])
        loaded[table] += 1
    return loaded
