"""What came of a message of the outbox."""

from typing import Any

import pytest

from cmbs import errors
from cmbs.database.calls import call
from tests.sql.interrupt.test_take_webhooks import asking, due_again, take
from tests.sql.log.test_vectors import set_clock
from tests.sql.verdict.scene import tool_call
from tests.support.beliefs import NOBODY, Connection, contents, refused
from tests.support.callers import caller

NOW = "2090-01-01T00:00:00.000000Z"


def taken(connection: Connection) -> dict[str, Any]:
    asking(connection).propose(tool_call("B"))
    (message,) = take(connection)
    return {name: message[name] for name in ("session_id", "message_id")}


def state(connection: Connection) -> Any:
    query = "select state, n_attempts, last_error, next_at is not null from cmbs.webhook_message"
    return connection.execute(query).fetchone()


@pytest.mark.cold
def test_delivered(tx: Connection) -> None:
    message = taken(tx)
    assert call(tx, "settle_webhook", **message)["state"] == "delivered"
    assert state(tx) == ("delivered", 1, None, False)
    due_again(tx)
    assert take(tx) == []
    assert call(tx, "settle_webhook", **message, error="late")["state"] is None
    assert state(tx) == ("delivered", 1, None, False), "what was told stays told"


def test_each_time_after_longer_and_then_no_more(tx: Connection) -> None:
    set_clock(tx, NOW)
    message, waits = taken(tx), []
    for attempt in range(1, 13):
        settled = call(tx, "settle_webhook", **message, error=f"{attempt} " + "x" * 600)
        assert settled["state"] == ("dead" if attempt == 12 else "pending")
        row = tx.execute(
            "select extract(epoch from next_at - %s::timestamptz)::integer, length(last_error) "
            "from cmbs_store.webhook_message",
            [NOW],
        ).fetchone()
        assert row
        waits.append(row[0])
        assert row[1] == 500
        due_again(tx)
        assert len(take(tx)) == (attempt < 12)
    assert waits[:8] == [5, 20, 80, 320, 1280, 5120, 20480, 28800]
    assert set(waits[7:11]) == {28800}
    assert state(tx)[0] == "dead"


def test_nobody_is_to_be_told_any_more(tx: Connection) -> None:
    message = taken(tx)
    assert call(tx, "settle_webhook", **message, error="gone", is_gone=True)["state"] == "dead"
    assert state(tx) == ("dead", 1, "gone", False)


@pytest.mark.parametrize("what", ["session_id", "message_id"])
def test_what_is_not_there(tx: Connection, what: str) -> None:
    message = taken(tx)
    before = contents(tx)
    for nothing in (NOBODY, None):
        assert call(tx, "settle_webhook", **message | {what: nothing})["state"] is None
    assert contents(tx) == before
    assert state(tx)[0] == "pending"


def test_an_administrator_of_one_tenant_settles_nothing(tx: Connection) -> None:
    message = taken(tx)
    stranger = caller(tx, "eve", "admin", tenant="other")
    sent = {**message, "is_gone": True}
    for credential in (stranger, caller(tx, "ann", "admin")):
        refused(tx, errors.Forbidden, "settle_webhook", **sent, credential=credential)
    assert state(tx) == ("pending", 1, None, True)
