"""cmbs.read_metrics: what the database knows of itself, in numbers."""

from typing import Any

import pytest

from cmbs import errors
from cmbs.database.calls import call
from tests.sql.identity.test_authorize import logged_in as session_of
from tests.sql.schema.test_privileges import VIEWS, WEBHOOK, logged_in
from tests.sql.verdict.scene import GRANT, Scene, deny, op, rich_arbitration, setting, tool_call
from tests.support.beliefs import Connection, Session, refused
from tests.support.callers import caller, principal
from tests.tee.outbox import mirrored

PACK = (
    GRANT
    | setting("permits", ttl_ms=60_000)
    | {
        "constraint.asked": deny("B", on_fail="ask"),
        "constraint.waits": deny("R", when=op("missing", "fact.x"), on_fail="defer"),
    }
)
HOUR = 3600


def metrics(connection: Connection, **more: object) -> Any:
    return call(connection, "read_metrics", **more)


def count(connection: Connection, query: str) -> int:
    ((n,),) = connection.execute(f"select count(*) from {query}".encode()).fetchall()
    return int(n)


def waiting(scene: Scene) -> tuple[int, int, int, int]:
    """What is open, which has to be what the lists of the session say."""
    found = metrics(scene.connection)["waiting"]
    listed = (
        *(len(scene("list_permits", status=of)["permits"]) for of in ("issued", "executing")),
        len(scene("list_interrupts", status="pending")["interrupts"]),
        sum(one["status"] == "waiting" for one in scene("list_deferrals")["deferrals"]),
    )
    names = ("n_issued", "n_executing", "n_questions", "n_deferred")
    assert tuple(found[name] for name in names) == listed
    return listed


def sees_nothing(connection: Connection, view: str) -> bool:
    """An empty view asks nobody who they are."""
    try:
        with connection.transaction():
            return count(connection, f"cmbs.{view}") == 0
    except errors.Forbidden:
        return True


@pytest.fixture
def scene(db: Connection) -> Scene:
    """Two permits of which one is begun, a question and a deferred proposal; all is committed."""
    scene = Scene(db, PACK)
    for _ in range(2):
        permit = scene.propose(tool_call("A"))["items"][0]["permit_id"]
    scene.begin(permit)
    scene.propose(tool_call("B"))
    scene.propose(tool_call("R"))
    return scene


def test_of_an_empty_database(tx: Connection) -> None:
    found = metrics(tx)
    assert found["sessions"].pop("log_bytes") > 0
    assert found["sessions"].pop("table_bytes") > found["sessions"]["n_events"]
    assert found["postgresql"].partition(".")[0] == str(tx.info.server_version // 10_000)
    del found["postgresql"]
    assert {key: set(of.values()) for key, of in found.items()} == {
        "sessions": {0},
        "waiting": {0},
        "webhooks": {0},
        "mirror": {0, None},
        "identities": {0},
    }


def test_sessions_and_events(tx: Connection) -> None:
    Session(tx).eliminate("a")
    stuck = Session(tx, "ab")
    stuck.enter("o", 1)
    over, forced = Session(tx, "a"), Session(tx, policy='{"allow_forced_termination": true}')
    over.terminate()
    forced.terminate(context='{"force": true}')
    before = metrics(tx)["sessions"]
    states = {"n_open": 1, "n_stuck": 1, "n_terminated": 2}
    assert {name: before[name] for name in states} == states
    assert before["n_events"] == count(tx, "cmbs_store.audit_event") == 8
    stuck.eliminate("a")
    assert stuck("request_exit", obligation_id="o")["approved"] is True
    found = metrics(tx)["sessions"]
    assert (found["n_open"], found["n_stuck"], found["n_events"]) == (2, 0, 10)


def test_what_is_open_is_what_the_views_say(scene: Scene) -> None:
    db = scene.connection
    assert waiting(scene) == (1, 1, 1, 1)
    scene.at(30)
    found = metrics(db)["waiting"]
    assert 30 <= found["question_seconds"] < 600
    assert found["due_seconds"] == 0
    # Out by the clock, and not swept: the permit at first, and then the question.
    scene.at(60)
    assert waiting(scene) == (0, 1, 1, 1)
    assert 0 < metrics(db)["waiting"]["due_seconds"] < 600
    scene.at(9 * 24 * HOUR)
    assert waiting(scene) == (0, 1, 0, 1)
    found = metrics(db)["waiting"]
    assert (found["question_seconds"], found["due_seconds"] > HOUR) == (0, True)


def test_a_clock_that_is_set_back_ends_what_was_granted(scene: Scene) -> None:
    db = scene.connection
    scene.at(-HOUR)
    assert waiting(scene) == (0, 1, 0, 1)
    # Once the session has found it, and has granted anew.
    scene.tokens[scene.agent] = scene.issue()
    scene.propose(tool_call("A"))
    scene.propose(tool_call("B"))
    assert waiting(scene) == (1, 1, 1, 1)
    found = metrics(db)["waiting"]
    assert found["question_seconds"] == 0, "no age is less than nothing"
    scene.at(HOUR)
    waiting(scene)


def test_what_has_been_answered_ended_or_superseded(scene: Scene) -> None:
    asked = scene.propose(tool_call("B"))["items"][0]["interrupt_id"]
    scene.resolve(asked)
    assert waiting(scene)[2] == 1
    scene.apply(PACK | {"constraint.asked": deny("B", on_fail="ask", reason="other")})
    assert waiting(scene)[2] == 0, "the constraint that was asked about is another"
    scene.propose(tool_call("B"))
    assert waiting(scene) == (1, 1, 1, 1)
    for hypothesis in "bcd":
        scene("eliminate", source_id="s", observation_id=hypothesis, eliminated=[hypothesis])
    assert scene("request_termination")["approved"] is True
    assert waiting(scene) == (0, 1, 0, 0)


def test_the_outboxes(tx: Connection) -> None:
    mirrored(tx, "a")
    call(tx, "set_webhook", **WEBHOOK)
    scene = Scene(tx, PACK)
    for _ in range(3):
        scene.propose(tool_call("B"))
    taken = call(tx, "take_webhooks")["messages"]
    given_up, delivered, pending = (
        {"session_id": message["session_id"], "message_id": message["message_id"]}
        for message in taken
    )
    call(tx, "settle_webhook", **given_up, error="gone", is_gone=True)
    call(tx, "settle_webhook", **delivered)
    call(tx, "settle_webhook", **pending, error="away")
    scene.at(40)
    found = metrics(tx)["webhooks"]
    assert (found["n_pending"], found["n_dead"]) == (1, 1)
    assert 40 <= found["pending_seconds"] < 600
    mirror, status = metrics(tx)["mirror"], call(tx, "read_mirror")
    assert mirror.pop("lag_seconds") <= status.pop("lag_seconds")
    assert mirror == status
    assert mirror["n_pending"] > 0


def test_principals_and_their_tokens(tx: Connection) -> None:
    for name in ("ann", "bob", "eve"):
        caller(tx, name, "agent")
    call(tx, "change_principal", name="bob", is_enabled=False)
    (listed,) = call(tx, "list_tokens", name="eve")["tokens"]
    call(tx, "revoke_token", token_id=listed["token_id"])
    assert metrics(tx)["identities"] == {"n_principals": 2, "n_tokens": 1}


def test_who_may(tx: Connection) -> None:
    for name, role, tenant in (
        ("ann", "admin", None),
        ("eve", "auditor", "other"),
        ("mia", "monitor", None),
        ("bob", "agent", "*"),
    ):
        credential = caller(tx, name, role, tenant=tenant)
        refused(tx, errors.Forbidden, "read_metrics", credential=credential)
    with logged_in(tx, "cmbs_server"):
        assert metrics(tx)["identities"]["n_principals"] == 4
    for role in ("admin", "auditor", "monitor"):
        credential = caller(tx, f"all {role}", role, tenant="*")
        assert metrics(tx, credential=credential)["sessions"]["n_open"] == 0


def test_a_monitor_that_is_more_reads_more(tx: Connection) -> None:
    session = Session(tx)
    alone, both = caller(tx, "mia", "monitor"), caller(tx, "max", "monitor", "approver")
    session.refuses(errors.Forbidden, "query_belief", credential=alone)
    assert session("query_belief", credential=both)["n_survivors"] == 4


def test_a_login_that_monitors_sees_no_view(tx: Connection) -> None:
    rich_arbitration(tx)
    tx.execute("create role watcher login in role cmbs_auditor")
    principal(tx, "watcher", "monitor", tenant="*", is_login=True)
    with session_of(tx, "watcher"):
        assert metrics(tx)["sessions"]["n_open"] == 1
        # What codes mean is the same everywhere.
        for view in sorted(VIEWS - {"reason_code"}):
            assert sees_nothing(tx, view), view
