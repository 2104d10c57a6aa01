"""The outbox: what has to be told, to whom, and that nobody takes the same at a time."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest

from cmbs import errors
from cmbs.database.calls import call
from tests.sql.schema.test_privileges import WEBHOOK, logged_in
from tests.sql.verdict.scene import GRANT, Scene, deny, tool_call
from tests.support.beliefs import Connection, refused
from tests.support.callers import caller

PACK = GRANT | {"constraint.asked": deny("B", on_fail="ask")}


def asking(connection: Connection) -> Scene:
    """A session whose questions are to be told."""
    call(connection, "set_webhook", **WEBHOOK)
    return Scene(connection, PACK)


def take(connection: Connection, **more: object) -> list[dict[str, Any]]:
    taken: list[dict[str, Any]] = call(connection, "take_webhooks", **more)["messages"]
    return taken


def due_again(connection: Connection) -> None:
    """As if the minute were over that whoever takes a message has."""
    connection.execute("update cmbs_store.webhook_message set next_at = now() - interval '1 s'")


@pytest.mark.cold
def test_what_is_told(tx: Connection) -> None:
    scene = asking(tx)
    asked = scene.propose(tool_call("B", {"n": 1}))
    question = asked["items"][0]["interrupt_id"]
    (message,) = take(tx)
    assert message["session_id"] == str(scene.id)
    assert (message["url"], message["secret"]) == (WEBHOOK["url"], WEBHOOK["secret"])
    body = json.loads(message["body"])
    assert body["type"] == "interrupt.opened"
    assert body["data"] == scene("read_interrupt", interrupt_id=question)
    sent = {"interrupt_id": question, "resolution": "decline"}
    scene("resolve_interrupt", scene.approver, **sent)
    (message,) = take(tx)
    body = json.loads(message["body"])
    assert (body["type"], body["data"]["status"]) == ("interrupt.resolved", "declined")
    # The same answer again is no other answer.
    assert scene("resolve_interrupt", scene.approver, **sent)["duplicate"] is True
    assert take(tx) == []
    assert scene.is_whole()


def test_nobody_is_told_where_nobody_is_set(tx: Connection) -> None:
    scene = Scene(tx, PACK)
    scene.propose(tool_call("B"))
    call(tx, "set_webhook", **WEBHOOK)
    assert take(tx) == [], "nor of what was asked before"
    call(tx, "set_webhook", url=None)
    scene.propose(tool_call("B"))
    assert take(tx) == []


def test_a_verdict_that_is_only_tried_tells_nobody(tx: Connection) -> None:
    scene = asking(tx)
    assert scene.propose(tool_call("B"), mode="dry_run")["disposition"] == "ask"
    assert take(tx) == []


def test_to_whom_is_said_when_it_is_taken(tx: Connection) -> None:
    scene = asking(tx)
    scene.propose(tool_call("B"))
    call(tx, "set_webhook", url="https://example.org/new", secret="n" * 24)
    (message,) = take(tx)
    assert (message["url"], message["secret"]) == ("https://example.org/new", "n" * 24)


def test_who_takes_it_and_is_gone_has_lost_it(tx: Connection) -> None:
    scene = asking(tx)
    scene.propose(tool_call("B"))
    ((first,),) = [take(tx)]
    assert take(tx) == []
    due_again(tx)
    (again,) = take(tx)
    assert again["message_id"] == first["message_id"]
    found = tx.execute("select state, n_attempts from cmbs.webhook_message").fetchall()
    assert found == [("pending", 2)]


def test_two_take_different_ones(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        scene = asking(connection)
        for _ in range(20):
            scene.propose(tool_call("B"))

        def some(_: int) -> list[str]:
            with psycopg.connect(database, autocommit=True) as worker:
                return [message["message_id"] for message in take(worker, limit=3)]

        with ThreadPoolExecutor(4) as workers:
            taken = [one for found in workers.map(some, range(8)) for one in found]
        assert len(taken) == len(set(taken)) == 20


def test_by_the_server_itself_and_by_administrators_of_all(tx: Connection) -> None:
    scene = asking(tx)
    scene.propose(tool_call("B"))
    with logged_in(tx, "cmbs_server"):
        assert len(take(tx)) == 1
    due_again(tx)
    assert len(take(tx, credential=caller(tx, "root", "admin", tenant="*"))) == 1


def test_an_administrator_of_one_tenant_takes_nothing(tx: Connection) -> None:
    scene = asking(tx)
    scene.propose(tool_call("B"))
    stranger = caller(tx, "eve", "admin", tenant="other")
    mine = caller(tx, "ann", "admin")
    for credential in (stranger, mine):
        refused(tx, errors.Forbidden, "take_webhooks", credential=credential)
    assert len(take(tx)) == 1, "nor keeps it from being told"
