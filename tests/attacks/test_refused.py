"""Whoever is no owner: each attack is refused, by SQLSTATE, and nothing has changed."""

import contextlib
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from tests.attacks.refused import REFUSED, Refused
from tests.attacks.scene import SECRET, Scene, state
from tests.support.beliefs import Connection


@pytest.fixture(scope="module")
def watcher(place: Scene) -> Iterator[Connection]:
    with psycopg.connect(place.database, autocommit=True) as connection:
        yield connection


@pytest.mark.parametrize("actor", sorted({actor for one in REFUSED for actor in one.actors}))
def test_it_is_refused(
    place: Scene, watcher: Connection, actor: str, subtests: pytest.Subtests
) -> None:
    before, so_far = state(watcher), written(watcher)
    with psycopg.connect(place.address(actor), autocommit=True) as connection:
        for attack in REFUSED:
            if actor in attack.actors:
                with subtests.test(attack.key):
                    check_refused(place, watcher, attack, actor, connection)
                    # Most are refused before they write a byte, so that nothing can have changed.
                    if written(watcher) != so_far:
                        assert state(watcher) == before
                        so_far = written(watcher)


def written(connection: Connection) -> Any:
    """How far the log of the whole server has been written, which any change takes further."""
    return connection.execute("select pg_current_wal_insert_lsn()").fetchone()


def check_refused(
    place: Scene, watcher: Connection, attack: Refused, actor: str, connection: Connection
) -> None:
    *first, last = [
        place.fill(statement).replace("<pid>", str(watcher.info.backend_pid))
        for statement in attack.statements
    ]
    said: list[str] = []
    with contextlib.ExitStack() as stack:
        if first:
            # What it prepares would stay with the connection that the others use.
            own = psycopg.connect(place.address(actor), autocommit=True)
            connection = stack.enter_context(own)
        connection.add_notice_handler(handler := lambda one: said.append(str(one.message_primary)))
        stack.callback(connection.remove_notice_handler, handler)
        for statement in first:
            connection.execute(statement.encode())
        with pytest.raises(psycopg.Error) as caught:
            connection.execute(last.encode())
    error = caught.value
    assert error.sqlstate == attack.sqlstate, error
    told = f"{error} {error.diag.message_detail} {error.diag.context} {said}"
    for name in ("pack", "tool", "schema", "all", "later"):
        # What was sent comes back.
        if f"{SECRET} {name}" in last.replace("''", "'"):
            told = told.replace(f"{SECRET} {name}", "~")
    assert SECRET not in told
