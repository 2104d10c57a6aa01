"""The schema as it is committed: every way to deploy it leads to the same."""

import subprocess
from collections.abc import Iterator

import psycopg
import pytest

from cmbs.deploy import doctor, embedded, migrate
from tests.golden import regenerate


@pytest.fixture(scope="module")
def wheel_server() -> Iterator[embedded.Server]:
    with regenerate.wheel_server() as server:
        yield server


@pytest.fixture(scope="module")
def golden() -> str:
    return regenerate.GOLDEN.read_text()


@pytest.mark.slow("deploys twice and dumps")
def test_a_fresh_database(wheel_server: embedded.Server, golden: str) -> None:
    conninfo = regenerate.create_database(wheel_server, "fresh")
    migrate.migrate(conninfo)
    found = regenerate.dump(wheel_server, conninfo)
    assert found == golden, "was it meant? then run: python -m tests.golden.regenerate"
    facts = doctor.as_expected(doctor.facts(conninfo))
    assert facts == doctor.expected_path().read_text(), "the same command writes it anew"


def test_migrated_twice(wheel_server: embedded.Server, golden: str) -> None:
    conninfo = regenerate.create_database(wheel_server, "twice")
    migrate.migrate(conninfo)
    migrate.migrate(conninfo)
    assert regenerate.dump(wheel_server, conninfo) == golden


@pytest.mark.nightly
def test_by_the_printed_script(wheel_server: embedded.Server, golden: str) -> None:
    conninfo = regenerate.create_database(wheel_server, "script")
    done = subprocess.run(
        [wheel_server.bindir / "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", conninfo],
        input=migrate.script(),
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert regenerate.dump(wheel_server, conninfo) == golden
    assert migrate.revision(conninfo) == migrate.head()
    assert migrate.migrate(conninfo) == migrate.head(), "and migrate goes on from there"
    assert regenerate.dump(wheel_server, conninfo) == golden


@pytest.mark.nightly
def test_restored_from_its_own_dump(wheel_server: embedded.Server, golden: str) -> None:
    source = regenerate.create_database(wheel_server, "source")
    migrate.migrate(source)
    dump = [wheel_server.bindir / "pg_dump", "--dbname", source]
    written = subprocess.run(dump, capture_output=True, text=True, check=True).stdout
    target = regenerate.create_database(wheel_server, "restored")
    restore = [wheel_server.bindir / "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", target]
    subprocess.run(restore, input=written, capture_output=True, text=True, check=True)
    assert regenerate.dump(wheel_server, target) == golden


@pytest.mark.nightly
@pytest.mark.slow("deploys and dumps")
def test_the_dump_sees_a_difference(wheel_server: embedded.Server, golden: str) -> None:
    conninfo = regenerate.create_database(wheel_server, "changed")
    migrate.migrate(conninfo)
    # A deployment mends all but the last, which only a migration could.
    for change in (
        "grant select on cmbs.session to public",
        "alter table cmbs_store.tombstone disable trigger tombstone_append_only",
        "comment on view cmbs.session is 'x'",
        "drop index cmbs_store.session_space_idx",
    ):
        with psycopg.connect(conninfo, autocommit=True) as connection:
            connection.execute(change.encode())
        assert regenerate.dump(wheel_server, conninfo) != golden, change
        if not change.startswith("drop"):
            migrate.migrate(conninfo)
            assert regenerate.dump(wheel_server, conninfo) == golden
