"""cmbs.eliminate_in_context"""

from typing import Any

import psycopg
import pytest

from cmbs import errors
from cmbs.database.calls import call
from tests.support.beliefs import (
    Connection,
    background,
    begin_context,
    eliminate_in_context,
    refused,
)

MESSAGE = {"eliminated": ["a"], "source_id": "s", "trigger": "t"}


@pytest.mark.cold
def test_applied_and_already_eliminated(tx: Connection) -> None:
    begin_context(tx)
    answer = eliminate_in_context(tx, "context", "b", "zz", "a", "b")
    assert answer == {"applied": ["a", "b"], "already_eliminated": ["zz"]}
    answer = eliminate_in_context(tx, "context", "c", "b", "zz")
    assert answer == {"applied": ["c"], "already_eliminated": ["b", "zz"]}
    assert eliminate_in_context(tx, "context") == {"applied": [], "already_eliminated": []}
    assert call(tx, "read_context_survivors", context_id="context") == {"survivors": ["d"]}


def test_what_eliminates_nothing_leaves_nothing(tx: Connection) -> None:
    begin_context(tx, "context", "a")
    for ids in ([], ["a"], ["unknown", "a"]):
        eliminate_in_context(tx, "context", *ids)
    found = tx.execute("select n_events from cmbs_store.context").fetchall()
    assert found == [(1,)] == tx.execute("select event_no from cmbs_store.context_event").fetchall()


def test_another_contexts_hypotheses_are_unknown(tx: Connection) -> None:
    begin_context(tx, "one")
    call(tx, "create_context", context_id="two", hypotheses=["a", "x"])
    assert eliminate_in_context(tx, "two", "a", "b")["applied"] == ["a"]
    assert eliminate_in_context(tx, "one", "a", "x")["applied"] == ["a"]


def test_there_is_no_such_context(tx: Connection) -> None:
    begin_context(tx, "K")
    error = refused(tx, errors.SessionNotFound, "eliminate_in_context", context_id="k", **MESSAGE)
    assert error.details == {"context_id": "k"}


@pytest.mark.parametrize("member", ["context_id", "eliminated", "source_id", "trigger"])
def test_malformed(tx: Connection, member: str) -> None:
    begin_context(tx)
    for wrong in (None, "x" * 513):
        value = [wrong] if member == "eliminated" else wrong
        sent: dict[str, Any] = {"context_id": "context", **MESSAGE, member: value}
        error = refused(tx, errors.InvalidRequest, "eliminate_in_context", **sent)
        assert error.details["member"] == member


def test_two_at_once(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as setup:
        begin_context(setup)
        begin_context(setup, "other")
    with background(database) as calls, psycopg.connect(database) as first:
        mine = eliminate_in_context(first, "context", "a", "b")
        sent = {"context_id": "context", **MESSAGE, "eliminated": ["c", "b"]}
        second = calls.call("eliminate_in_context", **sent)
        calls.wait_until_blocked()
        elsewhere = calls.call("eliminate_in_context", **sent | {"context_id": "other"})
        assert elsewhere.result()["applied"] == ["b", "c"], "contexts do not wait for each other"
        first.commit()
        assert mine["applied"] == ["a", "b"]
        assert second.result() == {"applied": ["c"], "already_eliminated": ["b"]}


def test_a_stale_snapshot_is_told(database: str) -> None:
    """Not that its hypotheses were there, but that it must try again."""
    with (
        psycopg.connect(database, autocommit=True) as first,
        psycopg.connect(database) as second,
    ):
        begin_context(first)
        second.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        assert call(second, "read_context_eliminated", context_id="context") == {"eliminated": []}
        eliminate_in_context(first, "context", "a")
        with pytest.raises(psycopg.errors.SerializationFailure):
            eliminate_in_context(second, "context", "a")


def test_the_cost_depends_on_the_message(db: Connection) -> None:
    """Buffers that one elimination reads in a large context and in a small one."""
    for table in ("context_hypothesis", "context_tombstone"):
        db.execute(f"alter table cmbs_store.{table} set (autovacuum_enabled = false)".encode())
    read = {}
    for n in (100, 50_000):
        ids = [f"h{number:06}" for number in range(n)]
        call(db, "create_context", context_id=str(n), hypotheses=ids)
        eliminate_in_context(db, str(n), *ids[: n // 2])
        # Plans are kept from the second call on.
        for number in range(n // 2, n // 2 + 3):
            plan = db.execute(
                "explain (analyze, buffers, format json) select "
                f"cmbs.eliminate_in_context('{n}', array['h{number:06}', 'x'], '', '')".encode()
            ).fetchone()
            assert plan is not None
            found = plan[0][0]["Plan"]
            read[n] = found["Shared Hit Blocks"] + found["Shared Read Blocks"]
    assert read[50_000] < 2 * read[100], read
