"""A page that the disk gave back otherwise: `cmbs verify --all` names what cannot be read, and goes
on with the rest."""

from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from psycopg.types.json import Json

from cmbs.deploy import embedded, migrate
from tests.golden import regenerate
from tests.support.beliefs import Session
from tests.support.commands import run_here
from tests.support.servers import reachable_folder

PAGE = 8192


@pytest.fixture
def folder() -> Iterator[Path]:
    with reachable_folder() as folder:
        yield folder


def damage(folder: Path, table: str, place: str) -> list[UUID]:
    """Three sessions, each of some pages; of a table one page is damaged. The sessions."""
    with embedded.start(folder / "data", durable=False) as server:
        address = regenerate.create_database(server, "cmbs")
        migrate.migrate(address)
        with psycopg.connect(address, autocommit=True) as db:
            sessions = [Session(db, [f"{no}-{n:05}" for n in range(600)]) for no in range(3)]
            for no, session in enumerate(sessions):
                for n in range(20):
                    session.eliminate(f"{no}-{n:05}", justification=Json({"why": "x" * 600}))
            db.execute("checkpoint")
            path = db.execute("select pg_relation_filepath(%s)", [table]).fetchone()
            found = db.execute(f"select (ctid::text::point)[0] from {table} {place}".encode())
            ((page,),) = found.fetchall()
    assert path is not None
    file = folder / "data" / "postgres" / path[0]
    with file.open("r+b") as pages:
        pages.seek(int(page) * PAGE + PAGE // 2)
        pages.write(b"\xff" * 16)
    return [session.id for session in sessions]


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("cmbs_store.audit_event", "seq"),
        pytest.param("cmbs_store.universe_member", "rank", marks=pytest.mark.nightly),
    ],
)
@pytest.mark.slow("two servers, one after the other")
def test_the_others_are_checked_all_the_same(folder: Path, table: str, column: str) -> None:
    # In the midst of the second session; the first of universe_member has no session in it.
    place = {
        "seq": "where seq = 10 order by recorded_at offset 1 limit 1",
        "rank": "where hypothesis_id = '1-00300'",
    }[column]
    first, second, third = damage(folder, table, place)
    done = run_here("verify", "--all", "--data-dir", str(folder / "data"))
    lines = done.stdout.splitlines()
    told = "PostgreSQL cannot read it: invalid page in block "
    assert done.returncode == 1
    assert any(line.startswith(f"BROKEN  {second}  {told}") for line in lines), done
    for whole in (first, third):
        assert any(line.startswith(f"ok      {whole}  21 rows  ") for line in lines), done
    is_listed = table.endswith("audit_event")
    assert any(f"table audit_event  {told}" in line for line in lines) is is_listed
    assert lines[-1].endswith(f": {1 + is_listed} broken")
