"""Conformance cases 58, 59, 63, 64: permits, and executions in two steps."""

from typing import Any

import psycopg
import pytest
from psycopg.types.json import Json

from cmbs import errors
from cmbs.kernel.canonical import canonical, hash_text
from tests.sql.verdict.scene import (
    ALLOWED,
    GRANT,
    Scene,
    codes,
    delta,
    deny,
    op,
    setting,
    told,
    tool_call,
    value,
)
from tests.support.beliefs import NO_EVENT, Connection, background, refused
from tests.support.callers import caller


@pytest.fixture
def scene(db: Connection) -> Scene:
    return Scene(db, GRANT)


def permit_of(answer: Any, item_no: int = 1) -> str:
    assert told(answer) == ALLOWED, answer["reasons"]
    permit: str = answer["items"][item_no - 1]["permit_id"]
    return permit


def state_of(scene: Scene, permit: str) -> str:
    status: str = scene("read_permit", permit_id=permit)["status"]
    return status


def test_case_58_once_from_the_verdict_to_the_result(scene: Scene) -> None:
    answer = scene.propose(tool_call("A", {"n": 1.0}))
    permit = permit_of(answer)
    shown = scene("read_permit", permit_id=permit)
    assert shown["expires_at"] == answer["items"][0]["permit"]["expires_at"] > shown["issued_at"]
    assert (state_of(scene, permit), scene.left()) == ("issued", 999)
    scene.refuses("PERMIT_NOT_BEGUN", scene.complete, permit)

    begun = scene.begin(permit)
    assert (begun["status"], begun["tool_id"], begun["args"]) == ("executing", "A", {"n": 1.0})
    assert begun["args_hash"] == answer["items"][0]["args_hash"]
    assert state_of(scene, permit) == "executing"
    scene.refuses("PERMIT_USED", scene.begin, permit)
    scene.refuses("PERMIT_USED", scene.begin, permit, who=scene.tool)

    ended = scene.complete(permit, result=Json({"rows": [1, None]}))
    assert ended["status"] == "committed"
    assert ended["result_hash"] == hash_text(canonical({"rows": [1, None]}))
    scene.refuses("PERMIT_USED", scene.begin, permit)
    assert scene("read_permit", permit_id=permit)["ended"]["result"] == {"rows": [1, None]}
    verbs = [event["verb"] for event in scene.session.events()][-3:]
    assert verbs == ["PROPOSE", "BEGIN_EXECUTION", "COMPLETE_EXECUTION"]
    assert scene.left() == 999
    assert scene.is_whole()


def test_only_calls_that_take_effect_get_a_permit(scene: Scene) -> None:
    denied = scene.propose(tool_call("A"), tool_call("nowhere"))
    assert not any("permit_id" in item for item in denied["items"])
    apart = scene.propose(
        tool_call("A"), tool_call("nowhere"), delta({"goal.x": value(1)}), atomic=False
    )
    assert ["permit_id" in item for item in apart["items"]] == [True, False, False]
    both = scene.propose(tool_call("A"), tool_call("A"))
    assert permit_of(both) != permit_of(both, 2)
    assert scene.left() == 997
    assert scene.is_whole()


@pytest.mark.parametrize("inner", [(), ("propose",), ("begin",), ("propose", "begin")])
def test_case_59_not_in_the_transaction_of_the_decision(
    scene: Scene, inner: tuple[str, ...]
) -> None:
    def nested(name: str, do: Any) -> Any:
        if name not in inner:
            return do()
        with scene.connection.transaction():
            return do()

    with scene.connection.transaction():
        permit = permit_of(nested("propose", lambda: scene.propose(tool_call())))
        with scene.connection.transaction():
            scene.connection.execute("select 1")
        nested("begin", lambda: scene.refuses("PERMIT_SAME_TRANSACTION", scene.begin, permit))
    # Also one that was opened before the decision, and sees it.
    assert scene.begin(permit)["status"] == "executing"


def test_a_transaction_that_is_older_than_the_decision_may_begin(
    scene: Scene, database: str
) -> None:
    with psycopg.connect(database) as older:
        older.execute("select txid_current()")
        permit = permit_of(scene.propose(tool_call()))
        scene.connection, mine = older, scene.connection
        assert scene.begin(permit)["status"] == "executing"
        older.commit()
        scene.connection = mine
    assert scene.is_whole()


def test_case_63_an_error_releases(scene: Scene) -> None:
    before = scene.state()
    permit = permit_of(scene.propose(tool_call()))
    assert scene.left() == 999
    scene.begin(permit)
    ended = scene.complete(permit, "error", result=Json({"why": "no disk"}))
    assert ended["status"] == "rolled_back"
    assert (scene.left(), scene.state(), state_of(scene, permit)) == (1000, before, "rolled_back")
    assert scene.complete(permit, "error", result=Json({"why": "no disk"}))["duplicate"]
    scene.refuses("PERMIT_COMPLETED", scene.complete, permit, "ok")
    receipts = [e for e in scene.session.events() if e["verb"] == "COMPLETE_EXECUTION"]
    assert [receipt["payload"]["status"] for receipt in receipts] == ["rolled_back"]
    assert scene.is_whole()


def test_case_64_revoked_in_between(scene: Scene) -> None:
    permit = permit_of(scene.propose(tool_call()))
    token = scene.tokens[scene.agent]["token_id"]
    scene("revoke_capability", scene.policy, token_id=token)
    scene.refuses("TOKEN_REVOKED", scene.begin, permit)
    assert scene.is_whole()


def test_what_has_changed_since_is_decided_anew(scene: Scene) -> None:
    permits = [permit_of(scene.propose(tool_call())) for _ in range(6)]
    # Nothing that matters: the recorded verdict stands.
    scene.propose(tool_call("nowhere"))
    scene.begin(permits[0])
    assert "tools" not in scene.last_event()["payload"]
    scene.fact("fact.x", 1)
    scene.begin(permits[1])
    assert scene.last_event()["payload"]["tools"].keys() == {"A"}

    scene.apply(GRANT | {"constraint.a": deny("A", when=op("exists", "fact.x"))})
    detail = scene.refuses("CONSTRAINT_DENIED", scene.begin, permits[2])
    assert [reason["key"] for reason in detail["reasons"]] == ["constraint.a"]
    scene.apply(GRANT)
    scene("set_mode", scene.policy, mode="eco")
    scene.begin(permits[2])
    scene.register("A", effect_class="network")
    scene.begin(permits[3])
    scene("set_mode", scene.policy, mode="offline_safe")
    scene.refuses("MODE_FORBIDS", scene.begin, permits[4])
    scene("set_mode", scene.policy, mode="normal")
    scene.connection.execute("select cmbs.withdraw_tool('A')")
    scene.refuses("TOOL_WITHDRAWN", scene.begin, permits[5])
    assert scene.is_whole()


def test_the_kill_switch_stops_what_was_allowed(scene: Scene) -> None:
    permit = permit_of(scene.propose(tool_call()))
    switch = "select cmbs.halt_policy(%s, 'because', p_credential => %s)"
    scene.connection.execute(switch, [True, scene.policy])
    scene.refuses("CONSTRAINT_DENIED", scene.begin, permit)
    scene.connection.execute(switch, [False, scene.policy])
    assert scene.begin(permit)["status"] == "executing"


def test_who_proposed_may_not_act_any_more(scene: Scene) -> None:
    permit = permit_of(scene.propose(tool_call()))
    scene.connection.execute("select cmbs.change_principal('agent', p_is_enabled => false)")
    scene.refuses("NAMESPACE_FORBIDDEN", scene.begin, permit, who=scene.tool)


def test_who_executes(scene: Scene) -> None:
    """The agent itself or whoever runs tools, but no other agent; who began, ends."""
    other = caller(scene.connection, "other agent", "agent")
    first, second = (permit_of(scene.propose(tool_call())) for _ in range(2))
    scene.refuses("PERMIT_HOLDER_MISMATCH", scene.begin, first, who=other)
    assert scene.begin(first, who=scene.tool)["status"] == "executing"
    scene.refuses("PERMIT_HOLDER_MISMATCH", scene.complete, first)
    assert scene.complete(first, who=scene.tool)["status"] == "committed"
    assert scene.begin(second)["status"] == "executing"
    for who in (scene.approver, scene.policy):
        sent = {"session_id": scene.id, "permit_id": first, "credential": who}
        refused(scene.connection, errors.Forbidden, "begin_execution", **sent)
        refused(scene.connection, errors.Forbidden, "complete_execution", outcome="ok", **sent)
    assert scene.is_whole()


def test_a_repeat_is_answered_and_another_is_not(scene: Scene) -> None:
    first, second = (permit_of(scene.propose(tool_call())) for _ in range(2))
    begun = scene.begin(first, request_id="b")
    again = scene.begin(first, request_id="b")
    assert (again["duplicate"], again["audit_event_id"]) == (True, begun["audit_event_id"])
    assert again["args_hash"] == begun["args_hash"]
    sent = {"session_id": scene.id, "permit_id": second, "request_id": "b"}
    refused(scene.connection, errors.Conflict, "begin_execution", credential=scene.agent, **sent)
    # What only its sender can repeat.
    scene.refuses("PERMIT_HOLDER_MISMATCH", scene.begin, first, who=scene.tool, request_id="b")
    ended = scene.complete(first, request_id="c")
    assert scene.complete(first, request_id="c")["audit_event_id"] == ended["audit_event_id"]
    assert scene.complete(first)["duplicate"]
    assert scene.is_whole()


def test_a_permit_runs_out_whether_or_not_anybody_sweeps(db: Connection) -> None:
    scene = Scene(db, GRANT | setting("permits", ttl_ms=60_000))
    first, second, third = (permit_of(scene.propose(tool_call())) for _ in range(3))
    scene.begin(first)
    assert scene("sweep_expired")["n_released"] == 0
    scene.at(60)
    assert state_of(scene, second) == "expired"
    scene.refuses("PERMIT_EXPIRED", scene.begin, second)
    assert scene.left() == 997
    assert scene("sweep_expired")["n_released"] == 2
    assert scene("sweep_expired")["n_released"] == 0
    assert scene.left() == 999
    scene.refuses("PERMIT_EXPIRED", scene.begin, third)
    # Begun in time, it may end whenever it does.
    assert scene.complete(first)["status"] == "committed"
    assert scene.last_event()["verb"] == "COMPLETE_EXECUTION"
    assert scene.is_whole()


def test_a_permit_counts_no_longer_than_its_token(db: Connection) -> None:
    scene = Scene(db, GRANT)
    (soon,) = db.execute(
        "select to_char(clock_timestamp() at time zone 'UTC' + interval '10 s', "
        '\'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\')'
    ).fetchone() or [""]
    token = scene.issue(expires_at=soon)
    answer = scene.propose(tool_call(), capability_token=token["secret"])
    assert answer["items"][0]["permit"]["expires_at"] == soon
    scene.at(10)
    scene.refuses("PERMIT_EXPIRED", scene.begin, permit_of(answer))


def test_what_is_used_up(db: Connection) -> None:
    """Settled by what the tool says it used; nothing left of a unit is the end of all calls."""
    scene = Scene(db, GRANT)
    token = scene.issue(budgets={"max_calls": 10, "cents": 100, "none": 0})
    child = scene(
        "narrow_capability",
        parent_id=token["token_id"],
        grant=Json({"holder": "agent", "tools": ["A"], "budgets": {"max_calls": 9, "cents": 60}}),
    )

    def spend(outcome: str, by: Any = child, **usage: int) -> None:
        permit = permit_of(scene.propose(tool_call(), capability_token=by["secret"]))
        scene.begin(permit)
        scene.complete(permit, outcome, usage=Json(usage))

    spend("ok", max_calls=3, cents=10)
    assert [scene.left(one, "max_calls") for one in (token, child)] == [7, 6]
    assert [scene.left(one, "cents") for one in (token, child)] == [90, 50]
    spend("error", cents=5)
    assert [scene.left(one, "max_calls") for one in (token, child)] == [7, 6]
    assert [scene.left(one, "cents") for one in (token, child)] == [85, 45]
    # More than was there: what was done was done, and nothing more is.
    spend("ok", cents=50)
    assert [scene.left(one, "cents") for one in (token, child)] == [35, -5]
    answer = scene.propose(tool_call(), capability_token=child["secret"])
    assert codes(answer) == ["BUDGET_EXHAUSTED"]
    assert told(scene.propose(tool_call(), capability_token=token["secret"])) == ALLOWED
    assert scene.is_whole()


@pytest.mark.parametrize(
    "usage",
    [
        {"max_calls": 0},
        {"max_calls": -1},
        {"max_calls": 1.5},
        {"max_calls": "1"},
        {"max_calls": 10**13},
        {"other": 1},
        {"max_calls": None},
    ],
)
def test_what_no_usage_is(scene: Scene, usage: dict[str, Any]) -> None:
    permit = permit_of(scene.propose(tool_call()))
    scene.begin(permit)
    sent = {"session_id": scene.id, "permit_id": permit, "credential": scene.agent}
    sent |= {"outcome": "ok", "usage": Json(usage)}
    refused(scene.connection, errors.InvalidRequest, "complete_execution", **sent)
    assert state_of(scene, permit) == "executing"


def test_what_is_not_there(scene: Scene) -> None:
    mine = {"session_id": scene.id, "credential": scene.agent, "permit_id": NO_EVENT}
    for verb, more in (
        ("begin_execution", {}),
        ("complete_execution", {"outcome": "ok"}),
        ("read_permit", {}),
    ):
        refused(scene.connection, errors.PermitNotFound, verb, **mine, **more)
    refused(scene.connection, errors.InvalidRequest, "list_permits", session_id=scene.id, status="")


def test_a_terminated_session_takes_the_end_and_nothing_else(db: Connection) -> None:
    scene = Scene(db, GRANT, hypotheses="a")
    begun, idle = (permit_of(scene.propose(tool_call())) for _ in range(2))
    scene.begin(begun)
    assert scene.session("request_termination", credential=scene.agent)["approved"]
    assert [state_of(scene, one) for one in (begun, idle)] == ["executing", "ended"]
    sent = {"session_id": scene.id, "credential": scene.agent}
    refused(db, errors.SessionTerminated, "begin_execution", permit_id=idle, **sent)
    assert scene("sweep_expired")["n_released"] == 0
    ended = scene.complete(begun, result=Json({"done": True}))
    assert ended["status"] == "committed"
    assert scene.complete(begun, result=Json({"done": True}))["duplicate"]
    assert scene.last_event()["verb"] == "COMPLETE_EXECUTION"
    assert scene.is_whole()


def test_permits_a_page_at_a_time(scene: Scene) -> None:
    for _ in range(3):
        scene.propose(tool_call(), tool_call("B"))
    first = scene("list_permits", limit=3)
    # Those of one proposal stay together.
    assert [len(first["permits"]), first["next_before"] is None] == [4, False]
    rest = scene("list_permits", limit=3, before=first["next_before"])
    assert (len(rest["permits"]), rest["next_before"]) == (2, None)
    shown = first["permits"] + rest["permits"]
    assert len({permit["permit_id"] for permit in shown}) == 6
    scene.begin(shown[0]["permit_id"])
    assert len(scene("list_permits", status="issued")["permits"]) == 5
    (executing,) = scene("list_permits", status="executing")["permits"]
    assert executing["permit_id"] == shown[0]["permit_id"]


def test_a_child_uses_up_what_its_parents_have(db: Connection) -> None:
    """Whoever makes a narrower token without a unit, or with none of it, escapes no budget."""
    scene = Scene(db, GRANT)
    token = scene.issue(budgets={"max_calls": 10, "cents": 100})

    def child(**budgets: int) -> Any:
        grant = {"holder": "agent", "tools": ["A"], "budgets": budgets}
        return scene("narrow_capability", parent_id=token["token_id"], grant=Json(grant))

    children = [child(max_calls=5), child(max_calls=5, cents=0)]
    for one in children:
        permit = permit_of(scene.propose(tool_call(), capability_token=one["secret"]))
        scene.begin(permit)
        sent = {"session_id": scene.id, "permit_id": permit, "credential": scene.agent}
        too_much = {"outcome": "ok", "usage": Json({"cents": 101})}
        refused(db, errors.InvalidRequest, "complete_execution", **sent, **too_much)
        scene.complete(permit, usage=Json({"cents": 50}))
    assert scene.left(token, "cents") == 0
    for one in (token, *children, child(max_calls=1)):
        answer = scene.propose(tool_call(), capability_token=one["secret"])
        assert codes(answer) == ["BUDGET_EXHAUSTED"]
    assert scene.is_whole()


def test_nobody_uses_up_more_calls_than_were_granted(scene: Scene) -> None:
    token = scene.issue(budgets={"max_calls": 2})
    permit = permit_of(scene.propose(tool_call(), capability_token=token["secret"]))
    scene.begin(permit)
    sent = {"session_id": scene.id, "permit_id": permit, "credential": scene.agent}
    more = {"outcome": "ok", "usage": Json({"max_calls": 3})}
    refused(scene.connection, errors.InvalidRequest, "complete_execution", **sent, **more)
    assert scene.complete(permit, usage=Json({"max_calls": 2}))["status"] == "committed"
    assert scene.is_whole()


@pytest.mark.parametrize("level", ["repeatable read", "serializable"])
def test_nothing_is_decided_by_an_old_snapshot(scene: Scene, database: str, level: str) -> None:
    """It would not see the kill switch: whoever the caller is."""
    permit = permit_of(scene.propose(tool_call()))
    with psycopg.connect(database) as older:
        older.execute(f"begin isolation level {level}".encode())
        older.execute("select 1 from pg_class limit 1")
        scene.connection.execute(
            "select cmbs.halt_policy(true, 'stop', p_credential => %s)", [scene.policy]
        )
        with pytest.raises(errors.Forbidden):
            older.execute("select cmbs.begin_execution(%s, %s)", [scene.id, permit])
    assert state_of(scene, permit) == "issued"


def test_what_a_proposal_commits_itself_is_looked_at_when_it_begins(scene: Scene) -> None:
    scene.apply(GRANT | {"constraint.a": deny("A", when=op("exists", "goal.stop"))})
    answer = scene.propose(delta({"goal.stop": value(1)}), tool_call("A"))
    permit = permit_of(answer, 2)
    scene.refuses("CONSTRAINT_DENIED", scene.begin, permit)


def test_who_waited_for_the_lock_may_act_no_more(scene: Scene, database: str) -> None:
    permit = permit_of(scene.propose(tool_call()))
    with background(database) as calls, psycopg.connect(database) as holder:
        holder.execute("select 1 from cmbs_store.session for update")
        begun = calls.call(
            "begin_execution", session_id=scene.id, permit_id=permit, credential=scene.tool
        )
        calls.wait_until_blocked()
        scene.connection.execute("select cmbs.change_principal('tool', p_is_enabled => false)")
        holder.rollback()
        with pytest.raises(errors.Unauthenticated):
            begun.result()
    assert state_of(scene, permit) == "issued"


@pytest.mark.parametrize("verb", ["propose", "resume", "resolve_interrupt", "set_mode"])
def test_nor_may_who_waited_to_say_something(scene: Scene, database: str, verb: str) -> None:
    scene.apply(GRANT | {"constraint.ask": deny("A", on_fail="ask")})
    asked = scene.propose(tool_call("A"))
    question = asked["items"][0]["interrupt_id"]
    if verb == "resume":
        scene.resolve(question)
    named = {"state_snapshot_id": scene.head(), "provenance": {"source": "agent://test"}}
    who, sent = {
        "propose": ("agent", {"proposal": Json(named | {"items": [delta({"goal.x": value(1)})]})}),
        "resume": (
            "agent",
            {"proposal_id": asked["proposal_id"], "proposal": Json({"items": [tool_call("A")]})},
        ),
        "resolve_interrupt": ("approver", {"interrupt_id": question, "resolution": "approve"}),
        "set_mode": ("policy", {"mode": "eco"}),
    }[verb]
    before = scene.head()
    with background(database) as calls, psycopg.connect(database) as holder:
        holder.execute("select 1 from cmbs_store.session for update")
        told_late = calls.call(verb, session_id=scene.id, credential=getattr(scene, who), **sent)
        calls.wait_until_blocked()
        scene.connection.execute("select cmbs.change_principal(%s, p_is_enabled => false)", [who])
        holder.rollback()
        with pytest.raises(errors.Unauthenticated):
            told_late.result()
    assert scene.session.snapshot(minimal=True)["audit_head_event_id"] == before
