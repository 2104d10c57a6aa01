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


def test_what_the_doctor_expects_is_of_no_version(
    wheel_server: embedded.Server, full_server: embedded.Server
) -> None:
    """The fresh database that it makes may be of another PostgreSQL than the one examined."""
    expected = []
    for server in (wheel_server, full_server):
        conninfo = regenerate.create_database(server, "expected")
        migrate.migrate(conninfo)
        expected.append([fact._replace(undo=None) for fact in doctor.needed(conninfo)])
    assert len(expected[0]) > 5000
    assert expected[0] == expected[1]


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


# What is done to a database, and what a line of its dump says that the golden one does not.
# A deployment mends all but the last ones.
PLANTED = {
    "create or replace function cmbs_store.clock() returns timestamptz language sql volatile "
    "as $$ select timestamptz '2000-01-01' $$": "LANGUAGE sql OWNER cmbs_kernel",
    "alter function cmbs.why volatile": "SECURITY DEFINER",
    "alter function cmbs.why security invoker": "LANGUAGE plpgsql SET",
    "alter function cmbs.why set jit to off": "SET jit TO 'off' OWNER",
    "alter function cmbs.why cost 7": "COST 7",
    "alter function cmbs.verify strict": "STRICT",
    "comment on function cmbs.why is 'x'": "COMMENT 'x'",
    "revoke execute on function cmbs.why from cmbs_server": "EXECUTE cmbs_agent",
    "grant execute on function cmbs.verify to public": "PUBLIC",
    "grant select on cmbs.session to public": "ON TABLE cmbs.session TO PUBLIC",
    "alter table cmbs_store.tombstone disable trigger tombstone_append_only": "DISABLE TRIGGER",
    "comment on view cmbs.session is 'x'": "VIEW cmbs.session IS 'x'",
    "comment on column cmbs.session.session_id is 'x'": "cmbs.session.session_id IS 'x'",
    "alter default privileges for role cmbs_kernel grant execute on functions to public": "",
    "drop index cmbs_store.session_space_idx": "",
    "alter function cmbs.why owner to cmbs_owner": "OWNER cmbs_owner",
    "create or replace function cmbs_store.event_hash_v1(p_record text) returns bytea "
    "language sql stable parallel safe return sha256(convert_to(p_record || '', 'UTF8'))": "TEXT",
    "create function public.spy() returns int language sql return 1": "FUNCTION public.spy()",
    "alter table cmbs_store.conclusion add more text": "more text",
    "alter role cmbs_kernel login": "cmbs_kernel: login t",
}
_LASTING = 6


@pytest.mark.slow("dumps after each of twenty changes")
def test_the_dump_sees_a_difference(wheel_server: embedded.Server, golden: str) -> None:
    conninfo = regenerate.create_database(wheel_server, "changed")
    migrate.migrate(conninfo)
    before = golden
    with psycopg.connect(conninfo, autocommit=True) as connection:
        try:
            for no, (change, said) in enumerate(PLANTED.items()):
                if no == len(PLANTED) - _LASTING:
                    migrate.migrate(conninfo)
                    before = regenerate.dump(wheel_server, conninfo)
                    assert before == golden
                connection.execute(change.encode())
                found = regenerate.dump(wheel_server, conninfo)
                changed = set(found.splitlines()) ^ set(before.splitlines())
                assert any(said in line for line in changed), change
                before = found
        finally:
            connection.execute("alter role cmbs_kernel nologin")
