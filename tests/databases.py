"""Copies of the migrated database, for whoever commits."""

import contextlib
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import psycopg
from psycopg.conninfo import make_conninfo


@contextlib.contextmanager
def copied(server: SimpleNamespace, template: Any, name: str, of: str = "") -> Iterator[str]:
    """The address of a copy, of the migrated database or of `of`, which is dropped in the end."""
    where = {"host": server.host, "port": server.port, "user": server.user}
    name = f"{template.dbname}_{name}"
    of = of or template.template_dbname
    with psycopg.connect(**where, dbname="postgres", autocommit=True) as admin:
        admin.execute(f'drop database if exists "{name}" with (force)'.encode())
        # Half the work of the default, which writes every page to the log.
        admin.execute(f'create database "{name}" template "{of}" strategy file_copy'.encode())
        try:
            yield make_conninfo(**where, dbname=name)
        finally:
            admin.execute(f'drop database "{name}" with (force)'.encode())


@contextlib.contextmanager
def copy_of_a_module(
    server: SimpleNamespace, template: Any, name: str
) -> Iterator[psycopg.Connection[Any]]:
    """A connection, in autocommit, to a copy that is filled once for all tests of a module."""
    with copied(server, template, name) as address, psycopg.connect(address, autocommit=True) as db:
        yield db
