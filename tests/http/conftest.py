"""One application on one socket for all tests that need no database to themselves."""

import contextlib
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from tests.web import Client, serving


@pytest.fixture(scope="session")
def site(server: SimpleNamespace, template: Any) -> Iterator[SimpleNamespace]:
    """A database that the tests share, and the address of the application over it."""
    name = f"{template.dbname}_site"
    address = {"host": server.host, "port": server.port, "user": server.user}
    with psycopg.connect(**address, dbname="postgres", autocommit=True) as admin:
        admin.execute(f'drop database if exists "{name}"')
        admin.execute(f'create database "{name}" template "{template.template_dbname}"')
        database = make_conninfo(**address, dbname=name)
        with serving(database) as served:
            yield SimpleNamespace(database=database, address=served)
        admin.execute(f'drop database "{name}" with (force)')


@pytest.fixture(scope="session")
def client(site: SimpleNamespace) -> Iterator[Client]:
    with Client(base_url=site.address, timeout=60) as client:
        yield client


@pytest.fixture
def store(site: SimpleNamespace) -> Iterator[psycopg.Connection[Any]]:
    """The shared database as its superuser sees it."""
    with contextlib.closing(psycopg.connect(site.database, autocommit=True)) as connection:
        yield connection
