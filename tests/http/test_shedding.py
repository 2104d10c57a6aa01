"""What is not worked off: why, and what is known of who sent it; as a metric and in the log."""

import contextlib
import logging
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from cmbs.api.shell import body_limits, metrics, shedding
from cmbs.api.shell.admission import Terms
from cmbs.database import pool, tokens
from cmbs.database.principals import KINDS
from tests.http.test_access_log import Log
from tests.http.test_long_reads import held_up
from tests.http.test_rate_limit import Clock
from tests.http.test_rate_limit import clock as clock  # a fixture
from tests.http.test_slow_bodies import HEAD, connected
from tests.http.test_slow_bodies import answer as answer_on
from tests.http.test_unavailable import locked, waits_for_a_lock
from tests.support.scrape import scraped
from tests.support.servers import until
from tests.support.web import Client, bearer, serving, token_of

# What a test of several processes provokes: tests/deploy/test_metrics.py.
ELSEWHERE = {"shutting" + "_down"}


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> Log:
    caplog.set_level(logging.INFO)
    return Log(caplog)


@contextlib.contextmanager
def asked(database: str, **settings: Any) -> Iterator[Client]:
    with serving(database, **settings) as address, Client(base_url=address, timeout=60) as client:
        yield client


def is_shed(
    client: Client, log: Log, answer: httpx.Response, reason: str, kind: str = "local"
) -> None:
    """The answer, its line, and what was counted; the server is alive meanwhile."""
    assert client.get("/healthz").json() == {"status": "ok"}
    assert answer.status_code in (429, 503)
    assert int(answer.headers["retry-after"]) >= 1
    line = log.of(answer)
    assert (line["shed"], line["class"], line["status"]) == (reason, kind, answer.status_code)
    found = scraped(client)
    assert found("cmbs_shed_total", reason=reason, class_=kind) == 1
    assert found("cmbs_shed_total") == 1, "and for nothing else"


def test_what_is_worked_off_is_not(database: str, log: Log) -> None:
    with asked(database) as client:
        for answer in (client.get(client.declare()), client.get("/nothing")):
            line = log.of(answer)
            assert (line["shed"], line["class"]) == (None, "local")
        found = scraped(client)
        assert found("cmbs_shed_total") == 0
        assert found.values_of("reason") >= {*shedding.REASONS}, "each can be seen to begin"
        assert found.values_of("class") == {*metrics.CLASSES, "session", "identities"}


@pytest.mark.parametrize("kind", KINDS)
def test_of_each_kind_of_principals(database: str, log: Log, clock: Clock, kind: str) -> None:
    token = token_of(database, "ann", "agent", kind=kind)
    with asked(database, terms=Terms(rate=1)) as client:
        answers = [client.get("/v1/sessions", headers=bearer(token)) for _ in "12"]
        assert log.of(answers[0])["class"] == kind
        is_shed(client, log, answers[1], "rate_limit", kind)


def test_of_strangers(database: str, log: Log, clock: Clock) -> None:
    token_of(database, "ann", "agent")
    with asked(database, terms=Terms(rate=1)) as client:
        answers = [client.get("/v1/sessions") for _ in "12"]
        assert log.of(answers[0])["class"] == "stranger"
        is_shed(client, log, answers[1], "rate_limit", "stranger")


def test_of_who_shows_an_unknown_token(database: str, log: Log, clock: Clock) -> None:
    token_of(database, "ann", "agent")
    with asked(database, terms=Terms(rate=1)) as client:
        shown = [bearer(tokens.new()) for _ in "12"]
        answers = [client.get("/v1/sessions", headers=headers) for headers in shown]
        is_shed(client, log, answers[1], "rate_limit", "unknown_token")


def test_monitors_are_not_kept_out_by_strangers(database: str, clock: Clock) -> None:
    token_of(database, "ann", "agent")
    with asked(database, terms=Terms(rate=2)) as client:
        statuses = [client.get("/v1/sessions").status_code for _ in "123"]
        assert statuses == [401, 401, 429]
        assert [client.get("/metrics").status_code for _ in "123"] == [200, 200, 429]


def test_while_all_connections_work(database: str, log: Log) -> None:
    with asked(database, waiting=1, patience=0.2) as client:
        session = client.declare()
        with ThreadPoolExecutor(1) as threads, locked(database, session) as holder:
            taken = threads.submit(client.post, f"{session}/terminate")
            waits_for_a_lock(database)
            is_shed(client, log, client.get(session), "pool_timeout")
            holder.rollback()
            assert taken.result().status_code == 200


def test_behind_too_many(database: str, log: Log) -> None:
    with asked(database, waiting=1, patience=30) as client:
        session = client.declare()
        with ThreadPoolExecutor(2) as threads, locked(database, session) as holder:
            taken = [threads.submit(client.post, f"{session}/terminate")]
            waits_for_a_lock(database)
            taken.append(threads.submit(client.get, session))
            usage = {"pool": "callers"}
            until(lambda: scraped(client)("cmbs_pool_waiting_calls", **usage) == 1)
            found = scraped(client)
            assert found("cmbs_pool_connections", **usage) == 1
            assert found("cmbs_pool_connections_in_use", **usage) == 1
            is_shed(client, log, client.get(session), "pool_full")
            holder.rollback()
            assert {answer.result().status_code for answer in taken} == {200}


def test_while_others_read_what_is_long(
    database: str, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "_READERS_PATIENCE", 0.2)
    monkeypatch.setattr("cmbs.api.rooms.operations.metrics._PATIENCE", 0.1)
    with asked(database) as client:
        path = f"{client.declare()}/verify"
        with ThreadPoolExecutor(1) as threads, held_up(database):
            taken = threads.submit(client.get, path)
            waits_for_a_lock(database)
            answer = client.get(path)
            # Numbers of the server itself are told all the same.
            is_shed(client, log, answer, "long_reads_busy")
            assert scraped(client)("cmbs_database_answered") == 0
        assert taken.result().status_code == 200


def test_behind_too_many_of_them(database: str, log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cmbs.api.rooms.operations.metrics._PATIENCE", 0.1)
    with asked(database, waiting=0) as client:
        path = f"{client.declare()}/verify"
        with ThreadPoolExecutor(1) as threads, held_up(database):
            taken = threads.submit(client.get, path)
            waits_for_a_lock(database)
            is_shed(client, log, client.get(path), "long_reads_full")
        assert taken.result().status_code == 200


@pytest.mark.parametrize("reason", ["lock_timeout", "statement_timeout"])
def test_what_waits_too_long_for_another(database: str, log: Log, reason: str) -> None:
    options = make_conninfo(database, options=f"-c {reason}=150")
    with asked(options) as client:
        session = client.declare()
        with locked(database, session):
            is_shed(client, log, client.post(f"{session}/terminate", json={}), reason)


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        ("40P01", "lost_race"),
        ("40001", "lost_race"),
        ("53100", "database_full"),
        ("57P01", "database_away"),
    ],
)
def test_what_postgresql_says(
    database: str, db: psycopg.Connection[Any], log: Log, state: str, reason: str
) -> None:
    """As it would where a disk is full, or where a race is lost again and again."""
    with asked(database) as client:
        session = client.declare()
        db.execute(
            "create function public.fail() returns trigger language plpgsql as "
            f"$$ begin raise 'as if' using errcode = '{state}'; end $$".encode()
        )
        db.execute(
            "create trigger fail before insert on cmbs_store.audit_event "
            "for each row execute function public.fail()"
        )
        is_shed(client, log, client.post(f"{session}/terminate", json={}), reason)


def test_of_a_database_that_is_away(database: str, log: Log) -> None:
    with asked(make_conninfo(database, host="/nowhere"), patience=0.1) as client:
        is_shed(client, log, client.get("/v1/sessions"), "database_away")


def test_of_a_database_that_only_reads(database: str, log: Log) -> None:
    with asked(database) as client:
        session = client.declare()
    with asked(make_conninfo(database, options="-c default_transaction_read_only=on")) as client:
        is_shed(client, log, client.post(f"{session}/terminate", json={}), "read_only")


def test_of_a_database_of_another_revision(
    database: str, db: psycopg.Connection[Any], log: Log
) -> None:
    with asked(database) as client:
        db.execute("update cmbs_store.revision set version_num = '9999'")
        is_shed(client, log, client.get("/readyz"), "other_revision")


@pytest.fixture
def slow(database: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    monkeypatch.setattr(body_limits, "PATIENCE", 0.3)
    monkeypatch.setattr(body_limits, "SLOWEST", 1000)
    monkeypatch.setattr(body_limits, "MEMORY", 200_000)
    with asked(database, connections=2) as client:
        yield client


def shed_on(slow: Client, log: Log, connection: socket.socket) -> dict[str, Any]:
    """The line of what was answered over a socket."""
    said = answer_on(connection)
    status = int(said.split()[1])
    assert (b"retry-after: 1\r\n" in said.lower()) == (status == 503)
    (line,) = [line for line in log.lines() if line["status"] == status]
    found = scraped(slow)
    assert found("cmbs_shed_total", reason=line["shed"], class_=line["class"]) == 1
    assert slow.get("/healthz").status_code == 200
    return line


def test_what_does_not_come_on(slow: Client, log: Log) -> None:
    with connected(slow) as connection:
        connection.sendall(HEAD.format(1000).encode() + b"{")
        line = shed_on(slow, log, connection)
    assert (line["status"], line["shed"], line["class"]) == (408, "slow_body", "local")


def test_what_there_is_no_memory_for(
    slow: Client, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_taken, take = threading.Event(), body_limits.Memory.take

    async def noted(room: body_limits.Memory, n_bytes: int) -> int:
        taken = await take(room, n_bytes)
        if taken:
            is_taken.set()
        return taken

    monkeypatch.setattr(body_limits.Memory, "take", noted)
    with connected(slow) as holder, connected(slow) as connection:
        # It comes on so well that it is waited for.
        holder.sendall(HEAD.format(190_000).encode() + b"{" + b" " * 60_000)
        assert is_taken.wait(30)
        connection.sendall(HEAD.format("150000\r\nconnection: close").encode())
        line = shed_on(slow, log, connection)
    assert (line["status"], line["shed"], line["class"]) == (503, "memory", "local")


def test_every_reason_is_provoked() -> None:
    """By name, as tests may run apart."""
    here = Path(__file__).read_text()
    assert {reason for reason in shedding.REASONS if f'"{reason}"' not in here} == ELSEWHERE


def test_a_reason_is_found_for_each_error() -> None:
    made: list[tuple[Exception, str]] = [
        (psycopg.OperationalError("gone"), "database_away"),
        (psycopg.InterfaceError("closed"), "database_away"),
        (psycopg.errors.TooManyConnections(), "database_full"),
        (pool.PoolTimeout(), "database_away"),
    ]
    for error, reason in made:
        assert shedding.reason_of(error) == reason
    assert {*shedding._BY_STATE.values()} <= {*shedding.REASONS}
