"""The logins of attackers, and a database that those who are refused share."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from cmbs.deploy import migrate
from tests.attacks import scene, towns
from tests.attacks.land import Land
from tests.attacks.scene import Scene
from tests.support.databases import copied, copy_of_a_module


@pytest.fixture(scope="module")
def attackers(server: SimpleNamespace, template: Any) -> Iterator[None]:
    """They go again at once: other tests count the members of our roles."""
    with scene.logins(server):
        yield


@pytest.fixture(scope="module")
def place(server: SimpleNamespace, template: Any, attackers: None) -> Iterator[Scene]:
    with copied(server, template, "attacks") as database:
        # What is granted on a database is not copied with it.
        migrate.migrate(database)
        yield scene.set_up(database)


@pytest.fixture(scope="module")
def land(server: Any, template: Any) -> Iterator[Land]:
    address = make_conninfo(host=server.host, port=server.port, user=server.user, dbname="postgres")
    with psycopg.connect(address, autocommit=True) as owner:
        towns.drop_logins(owner)
        towns.make_logins(owner)
        with copy_of_a_module(server, template, "towns") as admin:
            migrate.migrate(admin.info.dsn)
            land = Land(admin, towns.build(admin, "alpha"), towns.build(admin, "beta"))
            assert len(land.before) > 40
            yield land
        towns.drop_logins(owner)
