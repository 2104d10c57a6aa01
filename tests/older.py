"""Databases as they were before: the migrations up to a revision, and rows of today in them."""

import re

import sqlalchemy as sa
from alembic import command
from psycopg import sql

from cmbs import migrate
from cmbs.resources import migrations_dir, sql_dir
from tests.beliefs import TABLES, Connection

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
            connection.execute(
                f"create or replace function {name} returns text language sql as 'select null'; "
                f"alter function {name} owner to cmbs_kernel".encode()
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
