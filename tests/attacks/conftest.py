"""The logins of attackers, and a database that those who are refused share."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from cmbs import migrate
from tests.attacks import scene, towns
from tests.attacks.land import Land
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


@pytest.fixture(scope="module")
def land(server: Any, template: Any) -> Iterator[Land]:
    where = {"host": server.host, "port": server.port, "user": server.user}
    name = f"{template.dbname}_towns"
    identifier, origin = sql.Identifier(name), sql.Identifier(template.template_dbname)
    with psycopg.connect(**where, dbname="postgres", autocommit=True) as owner:
        owner.execute(sql.SQL("drop database if exists {} with (force)").format(identifier))
        owner.execute(sql.SQL("create database {} template {}").format(identifier, origin))
        towns.drop_logins(owner)
        towns.make_logins(owner)
        database = make_conninfo(**where, dbname=name)
        migrate.migrate(database)
        with psycopg.connect(database, autocommit=True) as admin:
            land = Land(admin, towns.build(admin, "alpha"), towns.build(admin, "beta"))
            assert len(land.before) > 40
            yield land
        owner.execute(sql.SQL("drop database {} with (force)").format(identifier))
        towns.drop_logins(owner)
