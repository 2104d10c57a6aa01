"""The HTTP shell when its database goes away, comes back, or closes connections."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from cmbs.deploy import embedded, migrate
from cmbs.deploy.embedded import Server
from tests.support.beliefs import Connection
from tests.support.served import PATIENCE
from tests.support.servers import kill, reachable_folder, until
from tests.support.web import Client, refusal, serving

SERVERS_CONNECTIONS = "from pg_stat_activity where usename = 'cmbs_server' and datname = %s"
MESSAGE = {"source_id": "s", "observation_id": "once", "eliminated": ["a"]}


@pytest.fixture
def web(database: str) -> Iterator[Client]:
    """With as many connections as a server has, all of which are used by every call."""
    with serving(database, connections=8, readers=0) as address, Client(base_url=address) as client:
        yield client


def n_connections(db: Connection) -> int:
    query = f"select count(*) {SERVERS_CONNECTIONS}"
    (count,) = db.execute(query.encode(), [db.info.dbname]).fetchone() or (0,)
    return int(count)


def end_connections(db: Connection) -> int:
    """How many there were; each is gone when this returns."""
    query = f"select count(pg_terminate_backend(pid, 30000)) {SERVERS_CONNECTIONS}"
    (count,) = db.execute(query.encode(), [db.info.dbname]).fetchone() or (0,)
    return int(count)


def is_unavailable(answer: httpx.Response) -> bool:
    assert refusal(answer) == (503, "UNAVAILABLE", None)
    assert int(answer.headers["retry-after"]) >= 1
    return True


@pytest.mark.nightly
@pytest.mark.slow("a cluster of its own")
def test_no_caller_notices_that_idle_connections_were_closed(web: Client, db: Connection) -> None:
    session = web.declare()
    for turn in range(5):
        assert end_connections(db) >= 1
        web.eliminate(session, observation=str(turn))
        for _ in range(9):
            assert web.get(session).status_code == 200


@pytest.mark.nightly
def test_nor_do_many_callers_at_once(web: Client, db: Connection) -> None:
    session = web.declare()
    with ThreadPoolExecutor(16) as pool:
        for _ in range(3):
            until(lambda: n_connections(db) == 8)
            assert end_connections(db) == 8
            answers = list(pool.map(lambda _: web.get(session).status_code, range(64)))
            assert answers == [200] * 64


def test_a_connection_that_is_closed_under_a_statement(web: Client, db: Connection) -> None:
    session = web.declare()
    path = f"{session}/eliminate"
    with psycopg.connect(db.info.dsn) as holder, ThreadPoolExecutor() as pool:
        holder.execute("select 1 from cmbs_store.session for update")
        answer = pool.submit(web.post, path, json=MESSAGE, timeout=PATIENCE)
        waiting = f"select 1 {SERVERS_CONNECTIONS} and wait_event_type = 'Lock'"
        until(lambda: db.execute(waiting.encode(), [db.info.dbname]).fetchone())
        end_connections(db)
        assert is_unavailable(answer.result(PATIENCE))
    again = web.post(path, json=MESSAGE).json()
    assert (again["duplicate"], again["applied_eliminated"]) == (False, ["a"])
    assert web.get(f"{session}/verify").json()["rows_checked"] == 2


@pytest.fixture
def place() -> Iterator[Path]:
    with reachable_folder() as folder:
        yield folder


@pytest.fixture
def away(place: Path) -> Iterator[tuple[Server, Client]]:
    """A server of its own, that a test may kill, and a client of the application over it."""
    with embedded.start(place / "data") as server:
        migrate.migrate(server.conninfo())
        with (
            serving(server.conninfo(), connections=8, readers=0) as address,
            Client(base_url=address, timeout=30) as client,
        ):
            yield server, client


@pytest.mark.slow("waits for answers that take three seconds")
def test_while_the_database_is_away(away: tuple[Server, Client]) -> None:
    server, client = away
    session = client.declare()
    kill(server)
    asked: list[tuple[str, str, Any]] = [
        ("GET", session, None),
        ("POST", f"{session}/eliminate", MESSAGE),
        ("GET", f"{session}/audit", None),
        ("GET", "/readyz", None),
    ]
    # Each is patient for 3 seconds. One after the other they would outwait their client, which is
    # for 30.
    with ThreadPoolExecutor(32) as pool:
        for answer in pool.map(
            lambda what: client.request(what[0], what[1], json=what[2]), asked * 8
        ):
            assert is_unavailable(answer)
    assert client.get("/healthz").status_code == 200
    server.ensure_running()
    until(lambda: client.get("/readyz").status_code == 200, PATIENCE)
    assert client.post(f"{session}/eliminate", json=MESSAGE).json()["duplicate"] is False


@pytest.mark.slow("the database is away for 9 seconds")
@pytest.mark.nightly
@pytest.mark.parametrize("asked_meanwhile", [True, False], ids=["asked", "left alone"])
def test_it_recovers_as_fast_after_a_long_time(
    away: tuple[Server, Client], asked_meanwhile: bool
) -> None:
    """A pool that doubled its pauses for ever would need as long again as the database was away."""
    server, client = away
    session = client.declare()
    with psycopg.connect(server.conninfo(), autocommit=True) as db:
        until(lambda: n_connections(db) == 8)
    kill(server)
    assert client.get("/readyz").status_code == 503
    over = threading.Event()

    def ask() -> None:
        while not over.is_set():
            assert client.get("/readyz").status_code == 503

    with ThreadPoolExecutor() as pool:
        asking = pool.submit(ask) if asked_meanwhile else None
        # Pauses of 1, 2, 4 seconds would be over, and one of 8 begun.
        with pytest.raises(AssertionError):
            until(over.is_set, 9)
        over.set()
        if asking:
            asking.result(PATIENCE)
    server.ensure_running()
    # A request waits for three seconds: more than one would, if the pause of 8 had to end first.
    answers: list[int] = []
    until(lambda: answers.append(client.get(session).status_code) or answers[-1] == 200, PATIENCE)
    assert answers.count(503) <= 1
    # All connections are back, not only the one that was asked for.
    with psycopg.connect(server.conninfo(), autocommit=True) as db:
        until(lambda: client.get(session).is_success and n_connections(db) == 8)


@pytest.mark.nightly
@pytest.mark.slow("waits for answers that take three seconds")
def test_a_database_that_is_not_there_yet(place: Path) -> None:
    with embedded.start(place / "data") as server:
        migrate.migrate(server.conninfo())
        where = server.conninfo()
    # The same address, and nobody there when the application starts.
    with serving(where) as address, Client(base_url=address, timeout=30) as client:
        assert is_unavailable(client.get("/v1/sessions"))
        assert client.get("/healthz").status_code == 200
        with embedded.start(place / "data"):
            until(lambda: client.get("/readyz").status_code == 200, PATIENCE)
            client.declare()


def test_readyz_tells_an_older_schema(web: Client, db: Connection) -> None:
    assert web.get("/readyz").status_code == 200
    db.execute("update cmbs_store.revision set version_num = 'older'")
    status, code, details = refusal(web.get("/readyz"))
    assert (status, code) == (503, "UNAVAILABLE")
    assert details["revision"] == "older"
    assert web.get("/healthz").status_code == 200


@pytest.mark.parametrize("state", ["40001", "40P01"])
@pytest.mark.parametrize(("n_lost", "status"), [(1, 200), (2, 200), (3, 503), (9, 503)])
def test_a_lost_race_is_run_again(
    web: Client, db: Connection, state: str, n_lost: int, status: int
) -> None:
    session = web.declare()
    # A sequence counts what is rolled back too.
    db.execute("create sequence public.lost")
    db.execute("grant all on sequence public.lost to public")
    db.execute(
        f"""
        create function public.lose() returns trigger language plpgsql as $$
        begin
            if nextval('public.lost') <= {n_lost} then
                raise 'lost' using errcode = '{state}';
            end if;
            return new;
        end
        $$""".encode()
    )
    db.execute(
        "create trigger lose before insert on cmbs_store.audit_event "
        "for each row execute function public.lose()"
    )
    answer = web.post(f"{session}/eliminate", json=MESSAGE)
    assert answer.status_code == status, answer.text
    (n_tries,) = db.execute("select last_value from public.lost").fetchone() or (0,)
    assert n_tries == min(n_lost + 1, 3)
    if status != 200:
        assert refusal(answer)[1] == "UNAVAILABLE"
        db.execute("drop trigger lose on cmbs_store.audit_event")
        assert web.post(f"{session}/eliminate", json=MESSAGE).json()["duplicate"] is False
    assert web.get(f"{session}/verify").json()["rows_checked"] == 2
