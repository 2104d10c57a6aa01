"""What `cmbs status` says of the mirror."""

import re
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from cmbs import __version__
from cmbs.database.calls import call
from cmbs.deploy import migrate
from tests.bundles.test_bundles import run
from tests.http.test_unavailable import login
from tests.support.beliefs import Session

Connection = psycopg.Connection[Any]
ENDPOINT = "tee.example:50051"


def last_line(database: str) -> str:
    """Without how far it is behind, which is another time."""
    line = run("status", "--database-url", database).stdout.splitlines()[-1]
    return re.sub(r", \d+ s behind$", ", so far behind", line)


def test_all_of_it(database: str, db: Connection) -> None:
    Session(db, "ab").eliminate("a")
    Session(db, "ab").enter()
    Session(db, "ab").enter()
    assert Session(db, "a").terminate()["approved"]
    lines = run("status", "--database-url", database).stdout.splitlines()
    # Whether there is a newer PostgreSQL is another matter.
    lines[0] = lines[0].partition(" (")[0]
    assert lines == [
        f"database  {db.info.dbname} on {db.info.host} as {db.info.user}, PostgreSQL "
        f"{'.'.join(map(str, divmod(db.info.server_version, 10000)))}",
        f"version   CMBS {__version__}, schema revision {migrate.head()}",
        "sessions  1 open, 2 stuck in an obligation, 1 terminated",
        "events    8",
        "callers   0 principals, 0 valid tokens",
    ]


def settle(database: str, session: Session, told: int, **more: object) -> None:
    """As a worker does that has told the Tee so many events."""
    with psycopg.connect(make_conninfo(database, user="cmbs_server"), autocommit=True) as worker:
        call(worker, "settle_mirror", session_id=session.id, seq=told, **more)


def test_the_mirror(database: str, db: Connection) -> None:
    Session(db)
    assert last_line(database) == "callers   0 principals, 0 valid tokens", "there is no mirror"
    call(db, "set_mirror", endpoint=ENDPOINT)
    assert last_line(database) == f"mirror    {ENDPOINT}, no message waits"
    first, second = Session(db, "ab"), Session(db, "ab")
    first.eliminate("a")
    assert last_line(database) == f"mirror    {ENDPOINT}, 3 waiting of 2 sessions, so far behind"
    settle(database, second, 0, error="no", is_refused=True)
    told = "2 waiting of 2 sessions, 1 refused, so far behind"
    assert last_line(database) == f"mirror    {ENDPOINT}, {told}"
    settle(database, first, 2)
    told = "1 refused of 1 session, so far behind"
    assert last_line(database) == f"mirror    {ENDPOINT}, {told}"
    call(db, "set_mirror", endpoint=None)
    assert last_line(database) == f"mirror    off, {told}"


@pytest.mark.parametrize("role", ["cmbs_analyst", "cmbs_auditor"])
def test_a_login_that_may_not_look(database: str, db: Connection, role: str) -> None:
    call(db, "set_mirror", endpoint=ENDPOINT)
    Session(db)
    with login(database, role) as name:
        last = last_line(make_conninfo(database, user=name))
    assert last.startswith(("callers ", "events    1"))


def test_agents_that_are_halted(database: str, db: Connection) -> None:
    def said() -> str:
        return run("status", "--database-url", database).stdout

    assert "HALTED" not in said()
    call(db, "halt_policy", is_halted=True, reason="the planner \x1bloops")
    assert "agents    HALTED: the planner \\u001bloops (cmbs policy resume)\n" in said()
    call(db, "halt_policy", is_halted=False, reason="mended")
    assert "HALTED" not in said()
