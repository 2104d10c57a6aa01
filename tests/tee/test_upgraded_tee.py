"""A database from before the Tee: its sessions are whole, and everything works in it."""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from cmbs.database.calls import call
from cmbs.deploy import migrate
from tests import older
from tests.beliefs import Connection, Session, begin_context, rich_session
from tests.callers import Held, caller
from tests.tee.graphs import begin, edge_id, live, rule_out, seed, version
from tests.tee.incidents import session_of, survivors
from tests.tee.outbox import mirrored, rows, take
from tests.test_migrate import create_database, state


class Older:
    """A database of revision 0008 with rows of it, and where they come from."""

    def __init__(self, source: Connection) -> None:
        self.plain = Session(source)
        self.plain.eliminate("a", observation_id="o")
        self.rich = rich_session(source)[0]
        self.large = Session(source, [f"n{number}" for number in range(9000)])
        self.held = Held(source, caller(source, "ann", "agent", tenant="other"))
        begin_context(source, "context", "a")
        self.url = create_database(source, f"{source.info.dbname}_older")
        older.create(self.url, "0008")
        with psycopg.connect(self.url, autocommit=True) as target:
            older.add_dropped_functions(target, "0008")
            self.copied = older.copy_rows(source, target)


@pytest.fixture
def old(db: Connection) -> Iterator[Older]:
    made = Older(db)
    yield made
    db.execute(f'drop database "{migrate_name(made.url)}" with (force)'.encode())


def migrate_name(url: str) -> str:
    return str(psycopg.conninfo.conninfo_to_dict(url)["dbname"])


@pytest.fixture
def upgraded(old: Older) -> Iterator[Connection]:
    assert migrate.revision(old.url) == "0008"
    migrate.migrate(old.url)
    with psycopg.connect(old.url, autocommit=True) as connection:
        for session in (old.plain, old.rich, old.large, old.held):
            session.connection = connection
        yield connection


def logs(connection: Connection) -> list[Any]:
    query = "select session_id, seq, record, event_hash from cmbs_store.audit_event order by 1, 2"
    return connection.execute(query).fetchall()


def test_it_stays_whole(old: Older, upgraded: Connection, db: Connection) -> None:
    assert migrate.revision(old.url) == migrate.head()
    assert state(upgraded) == state(db), "as if it had been made today"
    assert {"session", "audit_event", "tombstone", "principal"} <= old.copied.keys()
    assert "incident" not in old.copied
    assert "tee_message" not in old.copied
    assert logs(upgraded) == logs(db)
    verified = upgraded.execute("select ok, reason from cmbs.verify_all()").fetchall()
    assert verified == [(True, None)] * 4
    for session in (old.plain, old.rich, old.large, old.held):
        assert session.is_whole()
    assert call(upgraded, "verify_identities")["ok"] is True


def test_no_session_is_of_an_incident_or_mirrored(upgraded: Connection) -> None:
    found = upgraded.execute(
        "select universe_from, is_mirrored, count(*) from cmbs_store.session group by 1, 2"
    ).fetchall()
    assert found == [(None, False, 4)]


def test_they_go_on(old: Older, upgraded: Connection) -> None:
    assert old.plain.eliminate("a", observation_id="o")["duplicate"] is True
    assert old.plain.eliminate("b")["applied_eliminated"] == ["b"]
    assert survivors(old.plain) == ["c", "d"]
    assert old.large.eliminate("n1", "n8999", minimal=True)["applied_eliminated"] == ["n1", "n8999"]
    assert old.held.eliminate("c")["applied_eliminated"] == ["c"]
    assert all(session.is_whole() for session in (old.plain, old.large, old.held))
    assert call(upgraded, "context_survivors", context_id="context")


def test_they_are_not_mirrored_and_new_ones_are(old: Older, upgraded: Connection) -> None:
    new = mirrored(upgraded, "a")
    old.plain.eliminate("b")
    assert rows(upgraded, old.plain) == []
    assert [one["session_id"] for one in take(upgraded)] == [str(new.id)]


def test_incidents_begin(upgraded: Connection) -> None:
    assert call(upgraded, "read_main_graph") == {"nodes": [], "edges": []}
    seed(upgraded)
    assert version(upgraded) == 1
    assert begin(upgraded)["created"] is True
    assert rule_out(upgraded, "a")["applied"] == ["a"]
    assert live(upgraded) == (list("bcd"), [edge_id("b", "c"), edge_id("c", "d")])
    session = session_of(upgraded, edges=True)
    session.eliminate("b")
    assert survivors(session) == ["c", "d", edge_id("c", "d")]
    assert session.is_whole()
