"""Conformance cases 73, 74, 76 and 90: deferrals, modes, cooldowns, and shadows."""

from typing import Any

import pytest
from psycopg.types.json import Json

from cmbs import errors
from tests.sql.verdict.scene import (
    ALLOWED,
    BLOCKED,
    GRANT,
    Scene,
    allow,
    codes,
    delta,
    deny,
    op,
    setting,
    told,
    tool_call,
    value,
)
from tests.support.beliefs import Connection, refused

WAITS = GRANT | {"constraint.waits": deny("A", when=op("missing", "fact.x"), on_fail="defer")}
DEFERRED = ("defer", "defer", "CONSTRAINT_DENIED")


def deferred(scene: Scene, *items: object, **more: object) -> Any:
    answer = scene.propose(*items or (tool_call(),), **more)
    assert answer["disposition"] == "defer", answer["reasons"]
    return answer["deferral"]


def shown(scene: Scene) -> Any:
    (one,) = scene("list_deferrals")["deferrals"]
    return one


def test_case_73_tried_again_when_it_is_there(tx: Connection) -> None:
    scene = Scene(tx, WAITS)
    answer = scene.propose(tool_call())
    assert told(answer) == DEFERRED
    deferral = answer["deferral"]
    assert answer["items"][0]["deferral_id"] == deferral["deferral_id"]
    assert (deferral["missing"], deferral["attempt"]) == (["fact.x"], 0)
    scene.fact("fact.other", 1)
    assert shown(scene)["status"] == "waiting"
    written = scene.write({"fact.x": value(1)}, who=scene.tool)
    # The answer tells what was written, and the head is the try that followed.
    assert written["audit_event_id"] != written["snapshot"]["audit_head_event_id"]
    event = scene.last_event()
    assert (event["verb"], event["actor"]) == ("PROPOSE", "agent")
    assert event["payload"]["retries"] == {
        "deferral_id": deferral["deferral_id"],
        "attempt": 1,
        "by": "tool",
    }
    assert told(event["payload"]) == ALLOWED
    one = shown(scene)
    assert (one["status"], one["next_at"]) == ("allow", None)
    assert [a_try["decision"] for a_try in one["tries"]] == ["defer", "allow"]
    assert len(scene("list_permits", status="issued")["permits"]) == 1
    assert scene.is_whole()


def test_what_a_try_commits_may_be_what_others_wait_for(tx: Connection) -> None:
    scene = Scene(tx, WAITS)
    goal = deny(capability="state.write.goal", when=op("missing", "fact.x"), on_fail="defer")
    scene.apply(WAITS | {"constraint.goal": goal})
    # Two wait for the fact; of one that waits for a goal the first of them is the cause.
    deferred(scene, delta({"goal.a": value(1)}))
    scene.apply(
        WAITS
        | {
            "constraint.goal": goal,
            "constraint.b": deny("B", when=op("missing", "goal.a"), on_fail="defer"),
        }
    )
    deferred(scene, tool_call("B"))
    scene.fact("fact.x", 1)
    assert {one["status"] for one in scene("list_deferrals")["deferrals"]} == {"allow"}
    assert scene.state().keys() == {"fact.x", "goal.a"}
    assert scene.is_whole()


def test_a_goal_that_is_in_the_way(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    group = {"v": 1, "kind": "k", "target": "t", "status": "active", "exclusive_group": "g"}
    assert told(scene.write({"goal.a": group})) == ALLOWED
    deferral = deferred(scene, delta({"goal.b": group}))
    assert deferral["missing"] == ["goal.a"]
    scene.write({"goal.a": group | {"status": "done"}})
    assert scene.state().keys() == {"goal.a", "goal.b"}
    assert scene.is_whole()


def test_tried_for_who_proposed_with_what_they_may_then(tx: Connection) -> None:
    scene = Scene(tx, WAITS)
    deferred(scene)
    tx.execute("select cmbs.change_principal('agent', p_roles => '{auditor}')")
    scene.fact("fact.x", 1)
    assert codes(scene.last_event()["payload"]) == ["NAMESPACE_FORBIDDEN"]
    assert shown(scene)["status"] == "deny"
    assert scene.is_whole()


def test_a_token_that_is_revoked_does_not_come_back(tx: Connection) -> None:
    scene = Scene(tx, WAITS)
    deferred(scene)
    scene("revoke_capability", scene.policy, token_id=scene.tokens[scene.agent]["token_id"])
    scene.fact("fact.x", 1)
    assert codes(scene.last_event()["payload"]) == ["TOKEN_REVOKED"]
    assert scene.left() == 1000
    assert scene.is_whole()


def test_apart_only_what_waits_is_tried(tx: Connection) -> None:
    scene = Scene(tx, WAITS)
    answer = scene.propose(tool_call("B"), tool_call("A"), tool_call("nowhere"), atomic=False)
    assert ["deferral_id" in item for item in answer["items"]] == [False, True, False]
    scene.fact("fact.x", 1)
    tried = scene.last_event()["payload"]
    assert [item["tool_id"] for item in tried["proposal"]["items"]] == ["A"]
    assert told(tried) == ALLOWED
    assert scene.left() == 998
    assert scene.is_whole()


def test_case_74_in_the_end_it_is_denied(db: Connection) -> None:
    scene = Scene(db, WAITS | setting("deferrals", max_attempts=2, backoff_ms=1000))
    deferral = deferred(scene)
    assert deferral["max_attempts"] == 2
    assert scene("sweep_expired")["n_tried"] == 0
    told_of = []
    for seconds in (1, 2, 4):
        scene.at(seconds)
        if scene("sweep_expired", scene.policy)["n_tried"]:
            told_of.append(scene.last_event()["payload"])
    assert [told(payload) for payload in told_of] == [DEFERRED, (*BLOCKED, "DEFER_EXHAUSTED")]
    assert [payload["retries"]["by"] for payload in told_of] == ["policy"] * 2
    one = shown(scene)
    assert (one["status"], len(one["tries"])) == ("exhausted", 3)
    scene.fact("fact.x", 1)
    assert len(shown(scene)["tries"]) == 3
    assert scene.is_whole()


def test_a_stale_snapshot_is_not_waited_out(tx: Connection) -> None:
    scene = Scene(tx, WAITS)
    head = scene.head()
    scene.fact("fact.other", 1)
    answer = scene.propose(tool_call(), state_snapshot_id=head)
    assert answer["reason_code"] == "SNAPSHOT_STALE"
    assert "deferral" not in answer
    assert scene("list_deferrals")["deferrals"] == []


def test_what_ends_in_a_question(tx: Connection) -> None:
    scene = Scene(tx, WAITS | {"constraint.ask": deny("A", on_fail="ask")})
    deferred(scene)
    scene.fact("fact.x", 1)
    tried = scene.last_event()
    assert tried["payload"]["disposition"] == "ask"
    scene.resolve(tried["payload"]["items"][0]["interrupt_id"])
    answer = scene.resume({"proposal_id": tried["event_id"]}, tool_call())
    assert told(answer) == ALLOWED
    assert shown(scene)["status"] == "defer"
    assert scene.is_whole()


def test_what_was_approved_waits_with_its_approval(tx: Connection) -> None:
    scene = Scene(tx, GRANT | {"constraint.ask": deny("A", on_fail="ask")})
    asked = scene.propose(tool_call())
    scene.apply(WAITS | {"constraint.ask": deny("A", on_fail="ask")})
    scene.resolve(asked["items"][0]["interrupt_id"])
    assert told(scene.resume(asked, tool_call())) == DEFERRED
    scene.fact("fact.x", 1)
    assert told(scene.last_event()["payload"]) == ALLOWED
    scene.refuses("APPROVAL_CONSUMED", scene.resume, asked, tool_call())
    assert scene.is_whole()


def test_case_76_modes(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    scene.register("A", effect_class="network")
    scene.register("B", effect_class="local")
    told_of = scene("set_mode", scene.policy, mode="offline_safe", reason="no line")
    assert (told_of["mode"], told_of["reason"]) == ("offline_safe", "no line")
    assert told(scene.propose(tool_call("A"))) == (*BLOCKED, "MODE_FORBIDS")
    assert told(scene.propose(tool_call("B"))) == ALLOWED
    scene("set_mode", scene.policy, mode="normal")
    assert told(scene.propose(tool_call("A"))) == ALLOWED
    for who in (scene.agent, scene.tool, scene.approver):
        sent = {"session_id": scene.id, "mode": "eco", "credential": who}
        refused(tx, errors.Forbidden, "set_mode", **sent)
    for mode in ("Normal", "", None, "fast"):
        sent = {"session_id": scene.id, "mode": mode, "credential": scene.policy}
        refused(tx, errors.InvalidRequest, "set_mode", **sent)
    assert scene.is_whole()


def test_a_policy_says_what_modes_mean(tx: Connection) -> None:
    modes = setting("modes", boost={"forbids": ["external"]}, eco={"soft_percent": 10})
    scene = Scene(tx, GRANT | modes | setting("budgets", soft={"max_calls": 50}))
    scene.register("A", effect_class="external")
    scene("set_mode", scene.policy, mode="boost")
    answer = scene.propose(tool_call("A"))
    assert told(answer) == ("deny", "degrade", "MODE_FORBIDS")
    assert answer["items"][0]["offer"] == {"kind": "mode", "mode": "normal"}
    token = scene.issue(budgets={"max_calls": 20})["secret"]
    scene("set_mode", scene.policy, mode="eco")
    decisions = [scene.propose(tool_call("B"), capability_token=token) for _ in range(2)]
    assert [told(one)[1] for one in decisions] == ["execute", "degrade"]
    assert decisions[1]["items"][0]["offer"]["kind"] == "attenuated_token"
    scene("set_mode", scene.policy, mode="normal")
    assert told(scene.propose(tool_call("B"), capability_token=token)) == ALLOWED
    assert scene.is_whole()


def test_cooldowns(db: Connection) -> None:
    scene = Scene(db, GRANT | setting("cooldowns", tools={"A": 60_000}))
    assert told(scene.propose(tool_call("A"))) == ALLOWED
    answer = scene.propose(tool_call("A"))
    assert told(answer) == ("defer", "defer", "COOLDOWN_ACTIVE")
    assert told(scene.propose(tool_call("B"))) == ALLOWED
    scene.at(61)
    assert scene("sweep_expired")["n_tried"] == 1
    assert told(scene.last_event()["payload"]) == ALLOWED
    assert scene.is_whole()


@pytest.mark.parametrize(
    ("name", "members"),
    [
        ("permits", {"ttl_ms": 0}),
        ("permits", {"ttl_ms": 86_400_001}),
        ("permits", {"ttl": 1}),
        ("deferrals", {"max_attempts": -1}),
        ("deferrals", {"backoff_ms": 0.5}),
        ("clarifications", {}),
        ("clarifications", {"max_questions": "1"}),
        ("modes", {"fast": {}}),
        ("modes", {"eco": {"forbids": ["fire"]}}),
        ("modes", {"eco": {"soft_percent": 1001}}),
        ("modes", {"eco": []}),
        ("cooldowns", {"tools": {"A": 0}}),
        ("cooldowns", {"tools": []}),
        ("cooldowns", {}),
    ],
)
def test_settings_that_are_none(tx: Connection, name: str, members: dict[str, Any]) -> None:
    scene = Scene(tx)
    sent = {"pack": "p", "entries": Json(setting(name, **members)), "credential": scene.policy}
    refused(tx, errors.InvalidRequest, "publish_policy", **sent)


SHADOW = GRANT | {"constraint.a": deny("A", on_fail="ask")}


def test_case_90_a_shadow_says_and_does_nothing(db: Connection) -> None:
    scene = Scene(db, GRANT)
    scene.publish(SHADOW, "shadow")
    shadow = Json({"pack": "shadow", "version": 1})
    scene("apply_policy", scene.policy, pack="pack", version=1, shadow=shadow)
    answer = scene.propose(tool_call("A"))
    assert told(answer) == ALLOWED
    assert "shadow" not in answer
    recorded = scene.last_event()["payload"]["shadow"]
    assert told(recorded) == ("defer", "ask", "CONSTRAINT_DENIED")
    assert not {"permit_id", "interrupt_id"} & recorded["items"][0].keys()
    assert scene.begin(answer["items"][0]["permit_id"])["status"] == "executing"
    assert scene("list_interrupts")["interrupts"] == []
    assert told(scene.propose(tool_call("B"))) == ALLOWED
    query = "select tool_id, decision, shadow_pack, shadow_decision from cmbs.shadow_divergence"
    assert db.execute(query).fetchall() == [("A", "allow", "shadow", "defer")]
    # Applied without one, there is none any more.
    scene("apply_policy", scene.policy, pack="pack", version=1)
    scene.propose(tool_call("A"))
    assert "shadow" not in scene.last_event()["payload"]
    assert scene.is_whole()


def test_a_shadow_that_cannot_be_evaluated_changes_nothing(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    scene.publish(SHADOW, "shadow")
    shadow = Json({"pack": "shadow", "version": 1})
    scene("apply_policy", scene.policy, pack="pack", version=1, shadow=shadow)
    tx.execute("alter table cmbs_store.policy disable trigger all")
    tx.execute(
        "update cmbs_store.policy set settings = settings || "
        '\'{"policy.budgets": {"soft": {"max_calls": "none"}}}\' where policy_hash = '
        "(select policy_hash from cmbs_store.policy_version where pack = 'shadow')"
    )
    answer = scene.propose(tool_call("A"))
    assert told(answer) == ALLOWED
    assert scene.last_event()["payload"]["shadow"]["reason_code"] == "EVALUATION_ERROR"
    tx.execute(
        "update cmbs_store.policy set settings = settings - 'policy.budgets' where policy_hash = "
        "(select policy_hash from cmbs_store.policy_version where pack = 'shadow')"
    )
    assert scene.is_whole()


def test_a_shadow_from_the_first_day(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    scene.publish(SHADOW, "shadow")
    named = {"pack": "pack", "version": 1, "shadow": {"pack": "shadow", "version": 1}}
    session = type(scene.session)(tx, "ab", credential=scene.agent, arbitration=Json(named))
    declared = session.events()[0]["payload"]["arbitration"]
    assert declared["shadow"].keys() == {"pack", "version", "policy_hash"}
    repeated = session(
        "declare_session",
        ontology=Json(session.declared["snapshot"]["ontology"]),
        hypotheses=["a", "b"],
        arbitration=Json(named),
        credential=scene.agent,
    )
    assert repeated["duplicate"]
    sent = {"session_id": scene.id, "pack": "pack", "version": 1, "credential": scene.policy}
    unknown = Json({"pack": "x", "version": 1})
    refused(tx, errors.PolicyNotFound, "apply_policy", shadow=unknown, **sent)
    for broken in ({"pack": "shadow"}, {"version": 1}, {"pack": "shadow", "version": 1, "x": 1}):
        refused(tx, errors.InvalidRequest, "apply_policy", shadow=Json(broken), **sent)


def test_the_list_of_permitted_tools_knows_the_mode(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    scene.register("A", effect_class="local")
    scene.register("R", mutating=False, effect_class="none")
    scene("set_mode", scene.policy, mode="offline_safe")
    token = scene.tokens[scene.agent]["secret"]
    tools = scene("list_permitted", capability_token=token)["tools"]
    assert {tool["tool_id"]: tool["reason_code"] for tool in tools} == {
        "A": "ALLOWED",
        "B": "MODE_FORBIDS",
        "R": "ALLOWED",
    }


def test_an_error_in_a_try_ends_it(db: Connection) -> None:
    scene = Scene(db, WAITS)
    deferred(scene)
    (mended,) = db.execute(
        "select pg_get_functiondef('cmbs_store.together_reasons'::regproc)"
    ).fetchone() or [""]
    db.execute(
        "create or replace function cmbs_store.together_reasons(p_session cmbs_store.session, "
        "p_items jsonb, p_evidence cmbs_store.evidence) returns cmbs_store.reason[] "
        "language plpgsql stable as $$ begin perform 1 / 0; return null; end $$"
    )
    scene.at(100)
    assert scene("sweep_expired")["n_tried"] == 1
    assert codes(scene.last_event()["payload"]) == ["EVALUATION_ERROR"]
    assert scene("sweep_expired")["n_tried"] == 0
    assert shown(scene)["status"] == "deny"
    db.execute(mended)
    assert scene.is_whole()


def test_what_waits_waits_on_while_everything_is_halted(db: Connection) -> None:
    scene = Scene(db, WAITS)
    deferred(scene)
    switch = "select cmbs.halt_policy(%s, 'because', p_credential => %s)"
    db.execute(switch, [True, scene.policy])
    scene.at(1000)
    assert scene("sweep_expired")["n_tried"] == 0
    db.execute(switch, [False, scene.policy])
    scene.fact("fact.x", 1)
    assert shown(scene)["status"] == "allow"
    assert scene.is_whole()


def test_whatever_any_of_the_allows_reads_is_waited_for(tx: Connection) -> None:
    scene = Scene(tx, WAITS)
    either = {
        f"constraint.{key}": allow("A", when=op("exists", f"fact.{key}"), on_fail="defer")
        for key in "ab"
    }
    scene.apply(either | {"constraint.facts": allow(capability="state.write.fact")})
    assert deferred(scene)["missing"] == ["fact.a", "fact.b"]
    scene.fact("fact.b", 1)
    assert shown(scene)["status"] == "allow"
    assert scene.is_whole()


def test_in_the_end_only_what_still_waits_is_denied(tx: Connection) -> None:
    b = deny("B", when=op("missing", "fact.y"), on_fail="defer")
    scene = Scene(tx, WAITS | {"constraint.b": b} | setting("deferrals", max_attempts=1))
    scene.propose(tool_call("A"), tool_call("B"), atomic=False)
    scene.fact("fact.x", 1)
    items = scene.last_event()["payload"]["items"]
    assert [item["effective"] for item in items] == [True, False]
    assert codes(items[1])[0] == "DEFER_EXHAUSTED"
    assert scene.is_whole()


def test_waiting_ever_longer_ends_at_a_day(db: Connection) -> None:
    backoff = setting("deferrals", max_attempts=1000, backoff_ms=86_400_000)
    scene = Scene(db, WAITS | backoff)
    deferred(scene)
    for _ in range(45):
        scene.at(86_401)
        assert scene("sweep_expired")["n_tried"] == 1
    assert told(scene.last_event()["payload"]) == DEFERRED
    assert scene.is_whole()


def test_a_cooldown_holds_within_a_proposal(tx: Connection) -> None:
    scene = Scene(tx, GRANT | setting("cooldowns", tools={"A": 60_000}))
    answer = scene.propose(tool_call("A"), tool_call("B"), tool_call("A"), atomic=False)
    assert [item["reason_code"] for item in answer["items"]] == [
        "ALLOWED",
        "ALLOWED",
        "COOLDOWN_ACTIVE",
    ]
    assert scene.is_whole()


def test_no_more_than_a_hundred_wait(tx: Connection) -> None:
    scene = Scene(tx, WAITS)
    for number in range(100):
        deferred(scene, tool_call("A", {"n": number}))
    answer = scene.propose(tool_call("A"))
    assert told(answer) == DEFERRED
    assert "deferral" not in answer
    assert "deferral_id" not in answer["items"][0]
    assert scene.is_whole()


def test_nobody_is_tried_for_a_source_that_they_lost(tx: Connection) -> None:
    scene = Scene(tx, WAITS)
    deferred(scene)
    tx.execute("select cmbs.change_principal('agent', p_source_prefixes => '{other}')")
    scene.fact("fact.x", 1)
    assert codes(scene.last_event()["payload"]) == ["NAMESPACE_FORBIDDEN"]
    assert scene.is_whole()
