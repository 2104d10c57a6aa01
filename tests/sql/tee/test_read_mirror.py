"""cmbs.read_mirror: how far the mirror is behind."""

from typing import Any

import pytest

from cmbs import errors
from cmbs.database.calls import call
from tests.sql.log.test_vectors import set_clock
from tests.sql.schema.test_privileges import logged_in
from tests.support.beliefs import Connection
from tests.support.callers import caller
from tests.tee.graphs import refused, tables
from tests.tee.outbox import NOW, later, mirrored, settle, take

NOTHING = {
    "endpoint": None,
    "n_pending": 0,
    "n_dead": 0,
    "n_sessions": 0,
    "n_retries": 0,
    "lag_seconds": 0,
}


def status(connection: Connection, **more: object) -> Any:
    return call(connection, "read_mirror", **more)


@pytest.mark.cold
def test_without_one(tx: Connection) -> None:
    before = tables(tx)
    assert status(tx) == NOTHING
    assert tables(tx) == before


def test_what_it_counts(tx: Connection) -> None:
    set_clock(tx, NOW)
    one = mirrored(tx, *"ab")
    later(tx, 10)
    other = mirrored(tx, "a")
    later(tx, 15)
    counted = {"endpoint": "tee.example:50051", "n_pending": 5, "n_sessions": 2}
    assert status(tx) == NOTHING | counted | {"lag_seconds": 15}
    take(tx)
    assert status(tx)["n_retries"] == 0, "the first time is none"
    settle(tx, one, 1, error="away")
    settle(tx, other, 0, error="never", is_refused=True)
    counted |= {"n_pending": 3, "n_dead": 1}
    assert status(tx) == NOTHING | counted | {"lag_seconds": 15}
    for attempt in (1, 2, 3):
        later(tx, 15 + attempt * 100)
        take(tx)
        settle(tx, one, 0, error="away")
        assert status(tx)["n_retries"] == attempt
    settle(tx, one, 3)
    counted |= {"n_pending": 1, "n_sessions": 1}
    assert status(tx) == NOTHING | counted | {"n_dead": 1, "lag_seconds": 305}
    call(tx, "retry_mirror")
    settle(tx, other, 2)
    assert status(tx) == NOTHING | {"endpoint": "tee.example:50051"}


def test_a_clock_that_goes_back_is_no_lag(tx: Connection) -> None:
    set_clock(tx, NOW)
    mirrored(tx)
    set_clock(tx, "2089-01-01T00:00:00Z")
    assert status(tx)["lag_seconds"] == 0


def test_who_may(tx: Connection) -> None:
    for name, role, tenant in (
        ("ann", "admin", None),
        ("eve", "auditor", "other"),
        ("bob", "agent", "*"),
    ):
        credential = caller(tx, name, role, tenant=tenant)
        refused(tx, errors.Forbidden, "read_mirror", credential=credential)
    with logged_in(tx, "cmbs_server"):
        assert status(tx) == NOTHING
    for role in ("admin", "auditor"):
        assert status(tx, credential=caller(tx, f"all {role}", role, tenant="*")) == NOTHING
