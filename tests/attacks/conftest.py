"""The logins of attackers, and a database that those who are refused share."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from cmbs import migrate
from tests.attacks import scene
from tests.attacks.scene import Scene


@pytest.fixture(scope="module")
def attackers(server: SimpleNamespace, template: Any) -> Iterator[None]:
    """They go again at once: other tests count the members of our roles."""
    with scene.logins(server):
        yield


@pytest.fixture(scope="module")
def place(server: SimpleNamespace, template: Any, attackers: None) -> Iterator[Scene]:
    name = f"{template.dbname}_attacks"
    where = {"host": server.host, "port": server.port, "user": server.user}
    with psycopg.connect(**where, dbname="postgres", autocommit=True) as admin:
        admin.execute(f'drop database if exists "{name}"'.encode())
        admin.execute(f'create database "{name}" template "{template.template_dbname}"'.encode())
        database = make_conninfo(**where, dbname=name)
        # What is granted on a database is not copied with it.
        migrate.migrate(database)
        yield scene.set_up(database)
        admin.execute(f'drop database "{name}" with (force)'.encode())
