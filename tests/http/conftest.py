"""One application on one socket for all tests that need no database to themselves."""

import contextlib
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest

from tests.support.web import Client, site_over


@pytest.fixture(scope="session")
def site(server: SimpleNamespace, template: Any) -> Iterator[SimpleNamespace]:
    """A database that the tests share, and the address of the application over it."""
    with site_over(server, template, "site") as site:
        yield site


@pytest.fixture(scope="session")
def client(site: SimpleNamespace) -> Iterator[Client]:
    with Client(base_url=site.address, timeout=60) as client:
        yield client


@pytest.fixture
def store(site: SimpleNamespace) -> Iterator[psycopg.Connection[Any]]:
    """The shared database as its superuser sees it."""
    with contextlib.closing(psycopg.connect(site.database, autocommit=True)) as connection:
        yield connection
