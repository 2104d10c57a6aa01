"""cmbs.set_mirror: the Tee that sessions are mirrored to from now on."""

from typing import Any

import psycopg
import pytest

from cmbs import errors
from cmbs.database.calls import call
from tests.support.beliefs import Connection, Session, background
from tests.support.callers import caller
from tests.tee.graphs import refused
from tests.tee.outbox import mirrored, rows

ENDPOINT = "tee.example:50051"


def kept(connection: Connection) -> list[Any]:
    return connection.execute(
        "select endpoint, set_by from cmbs_store.tee_mirror order by mirror_no"
    ).fetchall()


@pytest.mark.parametrize(
    "endpoint",
    [
        *("localhost:1", "127.0.0.1:65535", "[::1]:50051", "tee:50051", "a-b_c.example:443"),
        *("https://tee.example:443", "http://tee.example:50051", None),
    ],
)
def test_where_to(tx: Connection, endpoint: str | None) -> None:
    assert call(tx, "set_mirror", endpoint=endpoint) == {"endpoint": endpoint}
    assert call(tx, "read_mirror")["endpoint"] == endpoint


@pytest.mark.parametrize(
    "endpoint",
    [
        *("", "tee", "tee:", ":50051", "tee:port", "tee:1:2", "tee:-1", "tee:50051/", "tee: 1"),
        *(" tee:1", "tee:1\n", "tee:1 ", "ftp://tee:1", "grpc://tee:1", "user@tee:1", "tée:1"),
        *(
            "https://",
            "https://tee",
            "//tee:1",
            "::1:50051",
            "unix:/tmp/tee",
            "a,b:1",
            "tee:123456",
        ),
    ],
)
def test_what_is_no_host_and_port(tx: Connection, endpoint: str) -> None:
    error = refused(tx, errors.InvalidRequest, "set_mirror", endpoint=endpoint)
    assert error.details["member"] == "endpoint"


@pytest.mark.parametrize("port", [0, 65536, 99999])
def test_what_is_no_port(tx: Connection, port: int) -> None:
    error = refused(tx, errors.InvalidRequest, "set_mirror", endpoint=f"tee:{port}")
    assert error.details["member"] == "endpoint"


@pytest.mark.cold
def test_too_long(tx: Connection) -> None:
    refused(tx, errors.PayloadTooLarge, "set_mirror", endpoint="x" * 511 + ":1")


def test_every_change_is_kept(tx: Connection) -> None:
    operator = caller(tx, "root", "admin", tenant="*")
    for endpoint in (ENDPOINT, None, ENDPOINT, ENDPOINT):
        call(tx, "set_mirror", endpoint=endpoint, credential=operator)
    assert kept(tx) == [(endpoint, "root") for endpoint in (ENDPOINT, None, ENDPOINT, ENDPOINT)]
    assert call(tx, "read_mirror")["endpoint"] == ENDPOINT


def test_of_sessions_from_now_on(tx: Connection) -> None:
    before = Session(tx)
    during = mirrored(tx)
    call(tx, "set_mirror", endpoint=None)
    after = Session(tx)
    for session in (before, during, after):
        session.eliminate("a")
    assert [rows(tx, session) for session in (before, during, after)] == [
        [],
        [(1, "pending"), (2, "pending")],
        [],
    ]
    assert call(tx, "take_mirror") == {"endpoint": None, "sessions": []}
    call(tx, "set_mirror", endpoint="elsewhere:1")
    taken = call(tx, "take_mirror")
    assert taken["endpoint"] == "elsewhere:1", "also for what was written before"
    assert [one["session_id"] for one in taken["sessions"]] == [str(during.id)]


def test_by_administrators_of_all_tenants(tx: Connection) -> None:
    for name, role, tenant in (
        ("ann", "admin", None),
        ("eve", "admin", "other"),
        ("bob", "agent", "*"),
        ("cat", "auditor", "*"),
        ("dan", "policy", "*"),
    ):
        credential = caller(tx, name, role, tenant=tenant)
        sent = {"endpoint": ENDPOINT, "credential": credential}
        refused(tx, errors.Forbidden, "set_mirror", **sent)
    assert kept(tx) == []


def test_two_at_a_time(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection, background(database) as others:
        with connection.transaction():
            call(connection, "set_mirror", endpoint=ENDPOINT)
            waiting = others.call("set_mirror", endpoint=None)
            others.wait_until_blocked()
        assert waiting.result() == {"endpoint": None}
        assert [endpoint for endpoint, _ in kept(connection)] == [ENDPOINT, None]
