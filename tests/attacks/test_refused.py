"""Whoever is no owner: each attack is refused, by SQLSTATE, and nothing has changed."""

from collections.abc import Iterator

import psycopg
import pytest

from tests.attacks.refused import REFUSED, Refused
from tests.attacks.scene import SECRET, Scene, state
from tests.beliefs import Connection


@pytest.fixture(scope="module")
def watcher(place: Scene) -> Iterator[Connection]:
    with psycopg.connect(place.database, autocommit=True) as connection:
        yield connection


@pytest.mark.parametrize(
    ("attack", "actor"),
    [(attack, actor) for attack in REFUSED for actor in attack.actors],
    ids=lambda value: value.key if isinstance(value, Refused) else value,
)
def test_it_is_refused(place: Scene, watcher: Connection, attack: Refused, actor: str) -> None:
    before = state(watcher)
    *first, last = [
        place.fill(statement).replace("<pid>", str(watcher.info.backend_pid))
        for statement in attack.statements
    ]
    said: list[str] = []
    with psycopg.connect(place.address(actor), autocommit=True) as connection:
        connection.add_notice_handler(lambda notice: said.append(str(notice.message_primary)))
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
    assert state(watcher) == before
