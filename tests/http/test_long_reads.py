"""What takes long has connections of its own, and ends with whoever asked for it."""

import contextlib
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from tests.support.beliefs import Connection
from tests.support.servers import until
from tests.support.web import Client, serving

VERIFIES = (
    "select count(*) from pg_stat_activity where query like '%\"verify\"(%' "
    "and datname = current_database() and pid <> pg_backend_pid() and state = 'active'"
)


@pytest.fixture
def web(database: str) -> Iterator[Client]:
    """With as many connections for what is long as a server has."""
    with (
        serving(database, readers=2) as address,
        Client(base_url=address, timeout=60) as client,
    ):
        yield client


@contextlib.contextmanager
def held_up(database: str) -> Iterator[None]:
    """Nobody can verify, because a table is locked that only verify reads."""
    with psycopg.connect(database) as holder:
        holder.execute("lock table cmbs_store.conclusion in access exclusive mode")
        yield
        holder.rollback()


def n_verifying(db: Connection) -> int:
    ((n,),) = db.execute(VERIFIES.encode()).fetchall()
    return int(n)


def test_readers_keep_nobody_from_writing(web: Client, database: str, db: Connection) -> None:
    read, written = web.declare(), web.declare()
    with ThreadPoolExecutor(32) as pool:
        with held_up(database):
            reading = [pool.submit(web.get, f"{read}/verify") for _ in range(16)]
            until(lambda: n_verifying(db) == 2)
            for no in range(20):
                web.eliminate(written, "a", observation=str(no))
                assert web.get(written).status_code == 200
            assert n_verifying(db) == 2
        assert [answer.result().status_code for answer in reading] == [200] * 16


def asked(web: Client, path: str, version: str = "1.1") -> socket.socket:
    connection = socket.create_connection((web.base_url.host, web.base_url.port or 80))
    connection.settimeout(30)
    connection.sendall(f"GET {path} HTTP/{version}\r\nhost: {web.base_url.host}\r\n\r\n".encode())
    return connection


@pytest.mark.parametrize("is_waiting", [False, True], ids=["running", "waiting"])
def test_what_nobody_waits_for_is_ended(
    web: Client, database: str, db: Connection, is_waiting: bool
) -> None:
    path = f"{web.declare()}/verify"
    with held_up(database):
        asking = [asked(web, path) for _ in range(6 if is_waiting else 2)]
        until(lambda: n_verifying(db) == 2)
        for connection in asking:
            connection.close()
        # Long before its lock_timeout of ten seconds would end it.
        until(lambda: n_verifying(db) == 0, 5)
        with asked(web, path), asked(web, path):
            until(lambda: n_verifying(db) == 2, 5)
    assert web.get(path).json()["ok"] is True


@pytest.mark.parametrize("version", ["1.1", "1.0"])
def test_who_sends_no_more_and_waits_is_answered(
    web: Client, database: str, db: Connection, version: str
) -> None:
    path = f"{web.declare()}/verify"
    with held_up(database):
        connection = asked(web, path, version)
        connection.shutdown(socket.SHUT_WR)
        until(lambda: n_verifying(db) == 1)
        if version == "1.1":
            assert connection.recv(12) == b"HTTP/1.1 102"
    with connection, connection.makefile("rb") as answer:
        said = answer.read()
    assert b"HTTP/1.1 200 OK" in said
    assert b'"ok": true' in said
    assert (b" 102 " in said) <= (version == "1.1")
