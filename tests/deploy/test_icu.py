"""In a database that sorts as people do, everything sorts as bytes all the same."""

from collections.abc import Iterator

import psycopg
import pytest
from psycopg.types.json import Json

from cmbs.database.calls import call
from cmbs.deploy import embedded, migrate
from tests.support.beliefs import Connection, Session, rich_session
from tests.support.sizes import sampled

# In English they sort a A ä b B z Z; by bytes in another order.
IDS = ["b", "B", "a", "A", "ä", "Ä", "a b", "ab", "a-b", "_", "1", "10", "9", "Z", "z", "ß", "SS"]
ICU = "locale_provider icu icu_locale '{}' locale 'C.UTF-8' encoding 'UTF8' template template0"


@pytest.fixture(scope="module", params=sampled(["tr", "en", "sv-u-kf-upper"], 3))
def icu(full_server: embedded.Server, request: pytest.FixtureRequest) -> Iterator[Connection]:
    name = f"icu_{request.param[:2]}"
    with psycopg.connect(full_server.conninfo(), autocommit=True) as admin:
        # Other modules may come in between, and the fixture is made again then.
        admin.execute(f"drop database if exists {name} with (force)".encode())
        admin.execute(f"create database {name} {ICU.format(request.param)}".encode())
    migrate.migrate(full_server.conninfo(name))
    with psycopg.connect(full_server.conninfo(name), autocommit=True) as connection:
        yield connection


def worked(connection: Connection) -> Session:
    policy = Json({"validate_hypotheses": True})
    session = Session(connection, IDS, policy=policy, metadata=Json({"b": 1, "B": 2, "ä": 3}))
    session.eliminate("z", "B", "ä", "10")
    session.eliminate("B", "Z", "_", source_id="Source")
    return session


def test_the_database_sorts_otherwise(icu: Connection) -> None:
    row = icu.execute("select array_agg(i order by i) from unnest(%s::text[]) as i", [IDS])
    assert row.fetchone() != (sorted(IDS),)


def test_the_same_survivors_and_hashes_as_by_bytes(icu: Connection, tx: Connection) -> None:
    here, there = worked(icu), worked(tx)
    mine, theirs = here.snapshot(), there.snapshot()
    assert mine["survivors"] == theirs["survivors"] == sorted(mine["survivors"])
    assert mine["survivors_hash"] == theirs["survivors_hash"]
    for one, other in zip(here.events(), there.events(), strict=True):
        assert one["payload"] == other["payload"]
        assert one["delta"] == other["delta"]
        assert one["survivors_after_hash"] == other["survivors_after_hash"]
        assert one["survivors_before_hash"] == other["survivors_before_hash"]
    assert here.is_whole()


def test_every_verb(icu: Connection) -> None:
    session, answers = rich_session(icu)
    for answer in answers:
        assert answer["snapshot"] == session.snapshot(as_of=answer["audit_event_id"])
    assert session.is_whole()
    found = icu.execute("select bool_and(ok) from cmbs.verify_all()").fetchone()
    assert found == (True,)


def test_repeats_of_letters_that_people_take_for_the_same(icu: Connection) -> None:
    session = Session(icu, ["é", "e\u0301", "I", "i", "\u0131"])
    assert session.snapshot()["n_hypotheses"] == 5
    names = ["o", "O", "\u00f6", "o\u0308", "I", "\u0131"]
    for name in names:
        assert session.eliminate("i", observation_id=name)["duplicate"] is False
        assert session.conclude("c", request_id=name)["duplicate"] is False
    space = {"hypothesis_space_id": "s", "hypothesis_version": "é"}
    call(icu, "register_space", **space, hypotheses=["a"])
    other = {**space, "hypothesis_version": "e\u0301"}
    assert call(icu, "register_space", **other, hypotheses=["b"])["duplicate"] is False
    assert session.is_whole()


def test_repeated_keys_are_found(icu: Connection) -> None:
    session = Session(icu)
    for text in (r'{"I": ":", "\u0049": 1}', r'{"\u003A": 1, ":": 2}'):
        with pytest.raises(psycopg.DatabaseError):
            session.eliminate(justification=text)
    session.eliminate(justification=r'{"İ": "\u003A\u003a", "i\u0307": "İ:"}')
    assert session.is_whole()
