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


class Warm:
    """The connection that the tests of a worker take turns with; what each does is rolled back.

    A new backend compiles every function anew, which takes longer than most tests.
    """

    # What is rolled back stays in the tables, and every scan reads it: half the time of the tests.
    _SWEPT_AFTER = 20

    def __init__(self, address: str) -> None:
        self.address = address
        self._connection = psycopg.connect(address)
        self._n_turns = 0

    @contextlib.contextmanager
    def turn(self) -> Iterator[psycopg.Connection[Any]]:
        if self._connection.closed:
            self._connection = psycopg.connect(self.address)
        yield self._connection
        self._n_turns += 1
        if self._connection.closed:
            return
        self._connection.rollback()
        if self._n_turns % self._SWEPT_AFTER == 0:
            self._connection.autocommit = True
            self._connection.execute("vacuum")
            self._connection.autocommit = False

    def close(self) -> None:
        self._connection.close()
