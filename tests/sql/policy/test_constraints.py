"""Conformance cases 16 to 48: constraints, their combining, invariants, conflicts."""

import itertools
import json
import random
from typing import Any

import psycopg
import pytest
from psycopg.types.json import Json

from cmbs import errors
from cmbs.database.calls import call
from cmbs.kernel.canonical import canonical, hash_text
from tests.sql.verdict.scene import (
    ALLOWED,
    BLOCKED,
    GRANT,
    Scene,
    allow,
    codes,
    constraint,
    delta,
    deny,
    op,
    told,
    tool_call,
    value,
)
from tests.support.beliefs import Connection, refused

# The two examples of the specification, as written there.
EXAMPLE_1 = {
    "v": 1,
    "effect": "deny",
    "subject": {"tool_id": "email.send"},
    "when": {"op": "eq", "args": ["fact.user.consent_email", False]},
    "on_fail": "block",
}
EXAMPLE_2 = {
    "v": 1,
    "effect": "deny",
    "subject": {"tool_id": "fs.write"},
    "when": {"op": "missing", "args": ["fact.source_ref"]},
    "on_fail": "ask",
}
FACTS = {"constraint.facts": allow(capability="state.write.fact")}
GOALS = {"constraint.goals": allow(capability="state.write.goal")}


def test_case_16_no_constraint(tx: Connection) -> None:
    scene = Scene(tx, {})
    assert told(scene.propose(tool_call())) == (*BLOCKED, "NO_APPLICABLE_ALLOW")


def test_a_session_without_a_pack_is_told_how_to_get_one(tx: Connection) -> None:
    scene = Scene(tx)
    answer = scene.propose(tool_call())
    assert told(answer) == (*BLOCKED, "NO_APPLICABLE_ALLOW")
    assert answer["policy"]["pack"] == "deny-all"
    assert "policy_apply" in answer["reasons"][0]["detail"]
    assert scene.session.eliminate("a", credential=scene.agent)["applied_eliminated"] == ["a"]


def test_case_17_allow_is_for_its_tool(tx: Connection) -> None:
    scene = Scene(tx, {"constraint.a": allow("A")})
    assert told(scene.propose(tool_call("A"))) == ALLOWED
    assert told(scene.propose(tool_call("B"))) == (*BLOCKED, "NO_APPLICABLE_ALLOW")


def test_case_18_deny_overrides(tx: Connection) -> None:
    scene = Scene(tx, {"constraint.a": allow("A"), "constraint.b": deny("A", on_fail="block")})
    answer = scene.propose(tool_call("A"))
    assert told(answer) == (*BLOCKED, "CONSTRAINT_DENIED")
    assert answer["reasons"][0]["key"] == "constraint.b"


@pytest.mark.parametrize(
    ("consent", "expected"),
    [
        (False, (*BLOCKED, "CONSTRAINT_DENIED")),
        (True, ALLOWED),
        (None, (*BLOCKED, "CONSTRAINT_UNKNOWN")),
    ],
)
def test_case_19_first_example(tx: Connection, consent: object, expected: object) -> None:
    scene = Scene(tx, FACTS | {"constraint.x": EXAMPLE_1, "constraint.y": allow("email.send")})
    scene.register("email.send")
    token = scene.issue(tools=["email.send"])["secret"]
    if consent is not None:
        scene.fact("fact.user.consent_email", consent)
    assert told(scene.propose(tool_call("email.send"), capability_token=token)) == expected


@pytest.mark.parametrize(
    ("case", "ref", "expected"),
    [
        (20, None, ("defer", "ask", "CONSTRAINT_DENIED")),
        (21, "doc-7", ALLOWED),
        (22, "null", ("defer", "ask", "CONSTRAINT_DENIED")),
    ],
)
def test_cases_20_to_22_second_example(
    tx: Connection, case: int, ref: str | None, expected: object
) -> None:
    scene = Scene(tx, FACTS | {"constraint.x": EXAMPLE_2, "constraint.y": allow("fs.write")})
    scene.register("fs.write")
    token = scene.issue(tools=["fs.write"])["secret"]
    if ref is not None:
        scene.fact("fact.source_ref", None if ref == "null" else ref)
    call_ = tool_call("fs.write", {"path": "/tmp/x"})
    head = scene.head()
    answer = scene.propose(call_, capability_token=token)
    assert told(answer) == expected
    found = tx.execute("select interrupt_id, constraint_keys from cmbs_store.interrupt").fetchall()
    if expected == ALLOWED:
        assert found == []
    else:
        (item,) = answer["items"]
        assert [(str(key), keys) for key, keys in found] == [
            (item["interrupt_id"], ["constraint.x"])
        ]
        about = {
            "item": call_,
            "state_snapshot_id": head,
            "policy_hash": answer["policy"]["policy_hash"],
        }
        assert item["interrupt"]["action_digest"] == hash_text(canonical(about))
        assert not item["effective"]
    assert scene.is_whole()


def test_case_23_capabilities(tx: Connection) -> None:
    scene = Scene(tx, GRANT | {"constraint.a": deny(capability="a")})
    assert told(scene.propose(tool_call("A"))) == (*BLOCKED, "CONSTRAINT_DENIED")
    assert told(scene.propose(tool_call("B"))) == ALLOWED


def test_case_24_the_kill_switch(tx: Connection) -> None:
    scene = Scene(tx, GRANT | {"constraint.stop": deny()})
    for item in (tool_call("A"), tool_call("R"), delta({"goal.x": value(1)})):
        assert told(scene.propose(item)) == (*BLOCKED, "CONSTRAINT_DENIED")
    assert scene.claim(kind="hypothesis", key="k", value=1, ttl_ms=1000)["decision"] == "deny"
    assert scene.apply(GRANT)["approved"]
    assert told(scene.propose(tool_call("A"))) == ALLOWED


def test_the_kill_switch_of_a_tenant(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    halted = call(tx, "halt_policy", is_halted=True, reason="drill", credential=scene.policy)
    assert halted == {"tenant": "default", "halted": "drill"}
    for item in (tool_call("R"), delta({"goal.x": value(1)})):
        answer = scene.propose(item)
        assert told(answer) == (*BLOCKED, "CONSTRAINT_DENIED")
        assert answer["reasons"][0]["key"] == "constraint.halt"
        assert "drill" in answer["reasons"][0]["detail"]
    assert scene.claim(kind="hypothesis", key="k", value=1, ttl_ms=1000)["decision"] == "deny"
    call(tx, "halt_policy", is_halted=False, reason="over", credential=scene.policy)
    assert told(scene.propose(tool_call("R"))) == ALLOWED
    assert scene.is_whole()


def test_the_kill_switch_of_all_tenants_stops_each(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    call(tx, "halt_policy", is_halted=True, reason="everybody", tenant="*")
    for item in (tool_call("R"), delta({"goal.x": value(1)})):
        answer = scene.propose(item)
        assert told(answer) == (*BLOCKED, "CONSTRAINT_DENIED")
        assert answer["reasons"][0]["key"] == "constraint.halt"
    # A tenant lets go of its own switch alone.
    call(tx, "halt_policy", is_halted=False, reason="not us", credential=scene.policy)
    assert told(scene.propose(tool_call("R"))) == (*BLOCKED, "CONSTRAINT_DENIED")
    call(tx, "halt_policy", is_halted=False, reason="over", tenant="*")
    assert told(scene.propose(tool_call("R"))) == ALLOWED
    assert scene.is_whole()


@pytest.mark.parametrize(
    "subject",
    [{}, {"tool_id": "A", "capability": "a"}, {"tool_id": ""}, {"tool_id": 1}, "A", [], {"x": "A"}],
)
def test_case_25_a_subject_that_cannot_be_read_is_everything(
    tx: Connection, subject: object
) -> None:
    scene = Scene(tx)
    bad = {"v": 1, "effect": "allow", "subject": subject}
    scene.inject(GRANT | {"constraint.x": bad})
    for item in (tool_call("A"), tool_call("R"), delta({"goal.x": value(1)})):
        answer = scene.propose(item)
        assert told(answer) == (*BLOCKED, "CONSTRAINT_MALFORMED")
    assert scene.is_whole()


def test_a_malformed_constraint_with_a_readable_subject_is_for_that_alone(tx: Connection) -> None:
    scene = Scene(tx)
    scene.inject(GRANT | {"constraint.x": deny("A", when={"op": "xor", "args": []})})
    assert told(scene.propose(tool_call("A"))) == (*BLOCKED, "CONSTRAINT_MALFORMED")
    assert told(scene.propose(tool_call("B"))) == ALLOWED


def test_case_26_the_order_of_entries_does_not_matter(tx: Connection) -> None:
    generator = random.Random(26)
    entries: dict[str, Any] = {}
    for number in range(50):
        entries[f"constraint.c{number:02}"] = constraint(
            generator.choice(["allow", "deny"]),
            generator.choice([None, "A", "B"]),
            on_fail=generator.choice(["block", "ask", "defer"]),
            when=op("eq", f"fact.k{number % 5}", number % 3),
        )
    scene = Scene(tx, GRANT | FACTS)
    for number in range(4):
        scene.fact(f"fact.k{number}", number % 3)
    answers = set()
    for _ in range(5):
        keys = list(entries)
        generator.shuffle(keys)
        published = scene.publish({key: entries[key] for key in keys}, "shuffled")
        scene("apply_policy", scene.policy, pack="shuffled", version=published["version"])
        answer = scene.propose(tool_call("A"), tool_call("B"), mode="dry_run")
        told_ = {name: answer[name] for name in ("decision", "reasons", "items", "policy")}
        for item in told_["items"]:
            item.pop("interrupt_id", None)
            item.pop("interrupt", None)
        answers.add(json.dumps(told_))
    assert len(answers) == 1


def verdict(scene: Scene, when: object) -> str:
    """What a condition comes to: true, false or unknown."""
    answer = {}
    for effect in ("allow", "deny"):
        published = scene.publish({"constraint.x": constraint(effect, "A", when=when)} | FACTS)
        scene("apply_policy", scene.policy, pack="pack", version=published["version"])
        answer[effect] = scene.propose(tool_call("A"), mode="dry_run")["reason_code"]
    if answer["allow"] == "ALLOWED":
        assert answer["deny"] == "CONSTRAINT_DENIED"
        return "true"
    assert answer["allow"] == "NO_APPLICABLE_ALLOW"
    return {"CONSTRAINT_UNKNOWN": "unknown", "NO_APPLICABLE_ALLOW": "false"}[answer["deny"]]


@pytest.fixture
def facts(tx: Connection) -> Scene:
    scene = Scene(tx, FACTS)
    for key, of in {
        "fact.n": 3.0,
        "fact.t": "3",
        "fact.null": None,
        "fact.user": {"tier": "gold", "tags": ["a", {"b": 1}], "0": "zero"},
        "fact.list": ["x", 3, {"k": [1, 2]}],
        "fact.yes": True,
        "fact.o": {"a": 1, "bb": 2},
    }.items():
        scene.fact(key, of)
    return scene


TRUE, FALSE = op("eq", "fact.yes", True), op("eq", "fact.yes", False)
UNKNOWN = op("eq", "fact.z", 1)


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        # 28
        (op("eq", "fact.n", 3), "true"),
        (op("eq", "fact.t", 3), "false"),
        (op("eq", "fact.n", "3"), "false"),
        (op("eq", "fact.yes", 1), "false"),
        (op("eq", "fact.o", {"bb": 2, "a": 1.0}), "true"),
        (op("eq", "fact.null", None), "true"),
        # 29
        (op("eq", "fact.z", 1), "unknown"),
        (op("eq", "fact.n", {"ref": "fact.z"}), "unknown"),
        (op("eq", "fact.t", {"ref": "fact.t"}), "true"),
        # 30
        (op("not", op("eq", "fact.z", 1)), "unknown"),
        # 31
        (op("all", op("exists", "fact.z"), op("eq", "fact.z", 1)), "false"),
        (op("all", op("eq", "fact.z", 1), op("exists", "fact.z")), "false"),
        # 32
        (op("any", TRUE, UNKNOWN), "true"),
        (op("any", UNKNOWN, TRUE), "true"),
        (op("any", FALSE, UNKNOWN), "unknown"),
        (op("all", FALSE, UNKNOWN), "false"),
        (op("all", TRUE, UNKNOWN), "unknown"),
        (op("not", UNKNOWN), "unknown"),
        (op("not", TRUE), "false"),
        # in
        (op("in", "fact.n", [1, 3]), "true"),
        (op("in", "fact.n", []), "false"),
        (op("in", "fact.o", [{"a": 1}, {"a": 1, "bb": 2}]), "true"),
        (op("in", "fact.o", [{"a": 1}]), "false"),
        (op("in", "fact.t", {"ref": "fact.list"}), "false"),
        (op("in", "fact.n", {"ref": "fact.list"}), "true"),
        (op("in", "fact.n", {"ref": "fact.t"}), "unknown"),
        (op("in", "fact.z", [1]), "unknown"),
        # exists and missing
        (op("exists", "fact.n"), "true"),
        (op("exists", "fact.null"), "false"),
        (op("missing", "fact.null"), "true"),
        (op("missing", "fact.z"), "true"),
        (op("missing", "fact.n"), "false"),
        # 39
        (op("eq", "fact.user.tier", "gold"), "true"),
        (op("eq", "fact.user.tags.0", "a"), "true"),
        (op("eq", "fact.user.tags.1.b", 1), "true"),
        (op("exists", "fact.user.tags.9"), "false"),
        (op("eq", "fact.user.0", "zero"), "true"),
        (op("eq", "fact.user.value.tier", "gold"), "true"),
        (op("missing", "fact.user.nothing.at.all"), "true"),
        (op("eq", "fact.list.2.k.1", 2), "true"),
        (op("exists", "fact.n.deeper"), "false"),
        # belief
        (op("eq", "fact.belief.n_survivors", 4), "true"),
        (op("eq", "fact.belief.n_hypotheses", 4), "true"),
        (op("in", "fact.belief.n_survivors", [1, 2]), "false"),
        (op("eq", "fact.belief.survivors", ["a", "b", "c", "d"]), "true"),
        (op("eq", "fact.belief.survivors.0", "a"), "true"),
        (op("eq", "fact.belief.terminated", False), "true"),
        (op("missing", "fact.belief.active_obligation_id"), "true"),
        (op("missing", "fact.belief.conclusion"), "true"),
        (op("eq", "policy.required", 1), "unknown"),
    ],
    ids=json.dumps,
)
def test_cases_28_to_32_and_39_what_conditions_come_to(
    facts: Scene, when: object, expected: str
) -> None:
    assert verdict(facts, when) == expected


def nested(levels: int) -> dict[str, Any]:
    inner = op("exists", "fact.n")
    for _ in range(levels - 1):
        inner = op("not", inner)
    return inner


MALFORMED: list[Any] = [
    # 33
    op("all"),
    op("any"),
    op("not"),
    op("not", TRUE, TRUE),
    op("xor", TRUE),
    op("in", "fact.n", "text"),
    op("in", "fact.n", {"ref": "fact.t", "more": 1}),
    op("eq", "fact.n"),
    op("eq", "fact.n", 1, 2),
    op("eq", 3, 3),
    op("exists"),
    op("exists", "fact"),
    op("exists", "fact."),
    op("exists", "misc.x"),
    op("exists", "constraint.x"),
    op("eq", "fact.n", {"ref": "constraint.x"}),
    {"op": "exists", "args": ["fact.n"], "more": 1},
    {"op": "exists"},
    {"args": []},
    "text",
    3,
    None,
    op("all", "fact.n"),
    # 34
    nested(17),
    # 39
    op("exists", "fact.list.-1"),
    op("exists", "fact.user.tags.-1.b"),
    op("schema"),
    op("schema", ""),
    op("schema", "s", "nowhere"),
    op("any", *[op("exists", f"fact.k{n}") for n in range(256)]),
]


@pytest.mark.parametrize("when", MALFORMED, ids=lambda when: json.dumps(when)[:60])
def test_cases_33_34_39_malformed_conditions(tx: Connection, when: Any) -> None:
    scene = Scene(tx)
    bad = {"v": 1, "effect": "allow", "subject": {"tool_id": "A"}, "when": when, "on_fail": "ask"}
    refused(
        tx,
        errors.InvalidRequest,
        "publish_policy",
        pack="p",
        entries=Json({"constraint.x": bad}),
        credential=scene.policy,
    )
    scene.inject(GRANT | {"constraint.x": bad})
    assert told(scene.propose(tool_call("A"))) == (*BLOCKED, "CONSTRAINT_MALFORMED")
    assert told(scene.propose(tool_call("B"))) == ALLOWED


def test_case_34_sixteen_levels(tx: Connection) -> None:
    scene = Scene(tx, FACTS)
    assert verdict(scene, nested(16)) in ("true", "false")


def test_case_35_a_stored_value_that_cannot_be_read(db: Connection) -> None:
    scene = Scene(db, FACTS)
    scene.fact("fact.broken", 1)
    for text in ("{", '{"value": 1}', "3"):
        with db.transaction():
            db.execute("alter table cmbs_store.state_value disable trigger all")
            db.execute("update cmbs_store.state_value set value = %s", [text])
            db.execute(
                "alter table cmbs_store.state_value enable always trigger state_value_append_only"
            )
        for name in ("exists", "missing"):
            assert verdict(scene, op(name, "fact.broken")) == "unknown"
            assert verdict(scene, op("not", op(name, "fact.broken.x"))) == "unknown"
        assert verdict(scene, op("eq", "fact.broken", 1)) == "unknown"


@pytest.mark.parametrize(
    "text",
    [
        # 36
        '{"v": 1, "effect": "deny", "effect": "allow"}',
        '{"v": 1, "effect": "allow", "subject": {"tool_id": "B"}, "subject": {"tool_id": "C"}}',
        '{"v": 1, "effect": "allow", "subject": {"tool_id": "B", "tool_id": "C"}}',
        # 37
        '{"v": 2, "effect": "allow"}',
        '{"v": "1", "effect": "allow"}',
        '{"effect": "allow"}',
        # 38
        '{"v": 1, "effect": "allow", "on_fail": "degrade"}',
        '{"v": 1, "effect": "allow", "on_fail": null}',
        '{"v": 1, "effect": "permit"}',
        '{"v": 1}',
        '{"v": 1, "effect": "allow", "extra": 1}',
        '{"v": 1, "effect": "allow", "reason": 3}',
        "[]",
        "{",
        "null",
        '{"v": 1, "effect": "allow", "reason": "' + "x" * 17000 + '"}',
    ],
    ids=lambda text: text[:70],
)
def test_cases_36_to_38_malformed_texts(tx: Connection, text: str) -> None:
    scene = Scene(tx)
    refused(
        tx,
        errors.InvalidRequest,
        "publish_policy",
        pack="p",
        entries=Json({"constraint.x": text}),
        credential=scene.policy,
    )
    scene.inject(GRANT | {"constraint.x": text})
    assert told(scene.propose(tool_call("A"))) == (*BLOCKED, "CONSTRAINT_MALFORMED")
    assert scene.is_whole()


def test_case_36_a_text_that_was_changed_under_the_index(db: Connection) -> None:
    scene = Scene(db, {"constraint.x": allow("A")})
    assert told(scene.propose(tool_call("A"))) == ALLOWED
    with db.transaction():
        db.execute("set local session_replication_role to replica")
        db.execute("alter table cmbs_store.policy_entry disable trigger all")
        db.execute(
            "update cmbs_store.policy_entry set value = "
            """'{"v": 1, "effect": "deny", "effect": "allow"}'"""
        )
        db.execute(
            "alter table cmbs_store.policy_entry enable always trigger policy_entry_append_only"
        )
    assert told(scene.propose(tool_call("A"))) == (*BLOCKED, "CONSTRAINT_MALFORMED")
    found = call(db, "verify", session_id=scene.id)
    assert not found["ok"]


AMOUNT = {
    "type": "object",
    "properties": {"amount": {"type": "number", "maximum": 500}},
    "required": ["amount"],
}


@pytest.mark.parametrize(
    ("args", "allowed"),
    [({"amount": 499}, True), ({"amount": 501}, False), ({}, False), ({"amount": "499"}, False)],
)
def test_case_40_a_schema_of_arguments(tx: Connection, args: Any, allowed: bool) -> None:
    scene = Scene(tx)
    call(tx, "register_schema", schema_id="refund", document=Json(AMOUNT), credential=scene.policy)
    scene.apply({"constraint.x": allow("A", when=op("schema", "refund"))})
    expected = ALLOWED if allowed else (*BLOCKED, "NO_APPLICABLE_ALLOW")
    assert told(scene.propose(tool_call("A", args))) == expected
    # The same as a rule of the tool itself.
    scene.register("A", args_schema="refund")
    expected = ALLOWED if allowed else (*BLOCKED, "ARGS_SCHEMA_INVALID")
    assert told(scene.propose(tool_call("A", args))) == expected
    scene.register("A", args_schema=AMOUNT, version=2)
    assert told(scene.propose(tool_call("A", args))) == expected
    assert scene.is_whole()


def test_schemas_of_artifacts_and_facts(tx: Connection) -> None:
    scene = Scene(tx)
    call(tx, "register_schema", schema_id="s", document=Json(AMOUNT), credential=scene.policy)
    scene.apply(
        FACTS
        | {
            "constraint.x": allow("A", when=op("schema", "s", "artifact:draft")),
            "constraint.y": allow("B", when=op("schema", "s", "fact.order")),
        }
    )
    good, bad = {"amount": 1}, {"amount": 1000}
    assert told(scene.propose(tool_call("A", artifacts={"draft": good}))) == ALLOWED
    for artifacts in ({"draft": bad}, {"other": good}):
        answer = scene.propose(tool_call("A", artifacts=artifacts))
        assert told(answer) == (*BLOCKED, "NO_APPLICABLE_ALLOW")
    assert told(scene.propose(tool_call("A"))) == (*BLOCKED, "NO_APPLICABLE_ALLOW")
    assert told(scene.propose(tool_call("B"))) == (*BLOCKED, "NO_APPLICABLE_ALLOW")
    scene.fact("fact.order", good)
    assert told(scene.propose(tool_call("B"))) == ALLOWED


def test_case_41_a_schema_that_is_not_there(db: Connection) -> None:
    scene = Scene(db)
    entries = {"constraint.x": allow("A", when=op("schema", "refund"))}
    refused(
        db,
        errors.InvalidRequest,
        "publish_policy",
        pack="p",
        entries=Json(entries),
        credential=scene.policy,
    )
    call(db, "register_schema", schema_id="refund", document=Json(AMOUNT), credential=scene.policy)
    scene.apply(entries)
    assert told(scene.propose(tool_call("A", {"amount": 1}))) == ALLOWED
    with db.transaction():
        db.execute("alter table cmbs_store.json_schema disable trigger all")
        db.execute("delete from cmbs_store.json_schema")
        db.execute("alter table cmbs_store.json_schema enable trigger all")
    assert told(scene.propose(tool_call("A", {"amount": 1}))) == (
        *BLOCKED,
        "CONSTRAINT_MALFORMED",
    )


def test_case_42_nobody_satisfies_a_guard_in_the_same_proposal(tx: Connection) -> None:
    guard = {"constraint.g": allow("A", when=op("eq", "goal.ok", True))}
    scene = Scene(tx, GOALS | guard)
    answer = scene.propose(delta({"goal.ok": value(True)}), tool_call("A"))
    assert told(answer) == (*BLOCKED, "NO_APPLICABLE_ALLOW")
    assert [item["decision"] for item in answer["items"]] == ["allow", "deny"]
    assert scene.state() == {}
    assert told(scene.propose(delta({"goal.ok": value(True)}))) == ALLOWED
    assert told(scene.propose(tool_call("A"))) == ALLOWED


@pytest.mark.parametrize(
    ("fails", "expected"),
    [
        (("ask", "block"), "block"),
        (("ask", "defer"), "defer"),
        (("ask", "ask"), "ask"),
        (("defer", "block"), "block"),
        (("defer", "defer"), "defer"),
    ],
)
def test_case_43_the_most_restrictive_denial_counts(
    tx: Connection, fails: tuple[str, str], expected: str
) -> None:
    scene = Scene(tx)
    for order in sorted(set(itertools.permutations(fails))):
        entries = {f"constraint.c{n}": deny("A", on_fail=fail) for n, fail in enumerate(order)}
        scene.apply(GRANT | entries)
        answer = scene.propose(tool_call("A"))
        assert answer["disposition"] == expected
        assert answer["decision"] == ("deny" if expected == "block" else "defer")
    found = tx.execute("select constraint_keys from cmbs_store.interrupt").fetchall()
    assert found == ([(["constraint.c0", "constraint.c1"],)] if expected == "ask" else [])


@pytest.mark.parametrize(
    ("fails", "expected"),
    [(("ask", "block"), "ask"), (("defer", "block"), "defer"), (("ask", "defer"), "ask")],
)
def test_case_44_the_mildest_missing_allow_counts(
    tx: Connection, fails: tuple[str, str], expected: str
) -> None:
    scene = Scene(tx)
    scene.apply(
        {
            f"constraint.c{n}": allow("A", on_fail=fail, when=op("eq", "fact.z", n))
            for n, fail in enumerate(fails)
        }
    )
    answer = scene.propose(tool_call("A"))
    assert told(answer) == ("defer", expected, "NO_APPLICABLE_ALLOW")


def test_case_45_a_required_constraint(tx: Connection) -> None:
    scene = Scene(tx)
    required = {"policy.required_constraints": value(["constraint.a", "constraint.b"])}
    scene.apply(GRANT | required | {"constraint.a": allow("A")})
    answer = scene.propose(tool_call("A"))
    assert told(answer) == (*BLOCKED, "POLICY_INCOMPLETE")
    assert [reason["key"] for reason in answer["reasons"]] == ["constraint.b"]


def test_case_46_invariants(tx: Connection) -> None:
    invariant = {"constraint.invariant.balance": deny(when=op("eq", "fact.balance", "negative"))}
    scene = Scene(tx, FACTS)
    assert not scene.apply(FACTS | invariant)["approved"], "what is not known does not hold"
    assert scene("read_state")["pack"]["version"] == 1
    scene.fact("fact.balance", "even")
    assert scene.apply(FACTS | invariant)["approved"]
    for patch in ({"fact.balance": value("negative")}, {"fact.balance": None}):
        before = scene.state()
        answer = scene.write(patch, who=scene.tool)
        assert told(answer) == (*BLOCKED, "INVARIANT_VIOLATED")
        assert answer["reasons"][0]["key"] == "constraint.invariant.balance"
        assert scene.state() == before
    assert told(scene.write({"fact.balance": value("positive")}, who=scene.tool)) == ALLOWED
    assert scene.is_whole()


def test_case_47_goals_that_exclude_each_other(tx: Connection) -> None:
    scene = Scene(tx, GOALS)

    def goal(**more: object) -> dict[str, object]:
        return {"v": 1, "kind": "fix", "target": "db", "status": "active", **more}

    assert told(scene.write({"goal.a": goal(exclusive_group="g")})) == ALLOWED
    answer = scene.write({"goal.b": goal(exclusive_group="g")})
    assert told(answer) == ("defer", "defer", "GOAL_CONFLICT")
    (reason,) = answer["reasons"]
    assert (reason["key"], reason["detail"]) == ("goal.b", "goal.a")
    assert told(scene.write({"goal.b": goal(exclusive_group="h", excludes=["goal.a"])}))[2] == (
        "GOAL_CONFLICT"
    )
    assert told(scene.write({"goal.c": goal(excludes=["goal.d"])})) == ALLOWED
    assert told(scene.write({"goal.d": goal()}))[2] == "GOAL_CONFLICT"
    assert told(scene.write({"goal.d": goal(status="done")})) == ALLOWED
    for key in ("goal.e", "goal.f"):
        assert told(scene.write({key: goal(exclusive_group=None)})) == ALLOWED
    both = scene.propose(
        delta({"goal.a": goal(exclusive_group="g", status="dropped")}),
        delta({"goal.b": goal(exclusive_group="g")}),
    )
    assert told(both) == ALLOWED
    assert scene.is_whole()


def test_case_48_a_key_that_is_written_twice(tx: Connection) -> None:
    scene = Scene(tx, GOALS)
    answer = scene.propose(delta({"goal.a": value(1)}), delta({"goal.a": value(2)}))
    assert told(answer) == (*BLOCKED, "WRITE_WRITE_CONFLICT")
    assert scene.state() == {}
    vector = {"kind": "state_delta", "s_core": [1]}
    assert "WRITE_WRITE_CONFLICT" in codes(scene.propose(vector, vector))


def test_items_that_do_not_belong_together(tx: Connection) -> None:
    scene = Scene(tx, GOALS | {"constraint.a": allow("A")})
    items = [delta({"goal.a": value(1)}), tool_call("B"), tool_call("A")]
    assert told(scene.propose(*items)) == (*BLOCKED, "NO_APPLICABLE_ALLOW")
    assert scene.state() == {}
    answer = scene.propose(*items, atomic=False)
    assert told(answer) == ALLOWED
    assert [item["effective"] for item in answer["items"]] == [True, False, True]
    assert scene.state() == {"goal.a": '{"v": 1, "value": 1}'}
    (token,) = [
        token
        for token in scene("list_capabilities")["capability_tokens"]
        if token["token_id"] == scene.tokens[scene.agent]["token_id"]
    ]
    assert token["left"] == {"max_calls": 999}
    assert scene.is_whole()


def test_without_refused_items_the_others_must_still_fit_together(tx: Connection) -> None:
    """Dropping the old goal is refused, so the new one would stand beside it."""
    scene = Scene(tx, GOALS)
    group = {"v": 1, "exclusive_group": "g"}
    scene.write({"goal.a": group})
    # A key that no prefix of the token covers makes the first item fail by itself.
    token = scene.issue(state_prefixes=["goal.b"])["secret"]
    answer = scene.propose(
        delta({"goal.a": {**group, "status": "dropped"}}),
        delta({"goal.b": group}),
        atomic=False,
        capability_token=token,
    )
    assert answer["decision"] != "allow"
    assert "GOAL_CONFLICT" in codes(answer)
    assert set(scene.state()) == {"goal.a"}


@pytest.mark.parametrize(
    ("key", "setting"),
    [
        ("policy.required_constraints", {"v": 1, "value": "constraint.a"}),
        ("policy.required_constraints", {"v": 1, "value": [1]}),
        ("policy.required_constraints", {"v": 1}),
        ("policy.arbitration", {"v": 1, "default": "allow"}),
        ("policy.arbitration", {"v": 1}),
        ("policy.claims", {"v": 1, "threshold": "0.8"}),
        ("policy.claims", {"v": 1, "threshold": 1.1}),
        ("policy.claims", {"v": 1, "default_ttl_ms": 0}),
        ("policy.budgets", {"v": 1, "soft": {"max_calls": 101}}),
        ("policy.budgets", {"v": 1}),
        ("policy.interrupts", {"v": 1, "ttl_ms": -1}),
        ("policy.x", {"value": 1}),
        # Misspelt, and so without effect where it was meant to have one.
        ("policy.claims", {"v": 1, "treshold": 0.9}),
        ("policy.arbitration", {"v": 1, "default": "strict", "defualt": "grant"}),
        ("constraint.x", deny(capability="tool.writes")),
        ("constraint.x", deny(capability="state.write.facts")),
        ("constraint.x", deny(capability="claim.write.truth")),
        ("constraint.x", deny("A", when=op("eq", "fact.belief.n_survivor", 1))),
    ],
    ids=str,
)
def test_settings_that_cannot_be(tx: Connection, key: str, setting: dict[str, Any]) -> None:
    scene = Scene(tx)
    sent = {"pack": "p", "entries": Json({key: setting}), "credential": scene.policy}
    refused(tx, errors.InvalidRequest, "publish_policy", **sent)


def test_a_requirement_that_cannot_be_read_is_not_met(tx: Connection) -> None:
    scene = Scene(tx)
    for broken in ({"v": 1, "value": "constraint.a"}, {"v": 1}, "{"):
        scene.inject(GRANT | {"policy.required_constraints": broken})
        answer = scene.propose(tool_call("A"))
        assert told(answer) == (*BLOCKED, "POLICY_INCOMPLETE")


def test_names_of_packs_are_not_shared_between_all_and_one(tx: Connection) -> None:
    scene = Scene(tx, {})
    sent = {"pack": "supervised", "entries": Json({}), "credential": scene.policy}
    refused(tx, errors.Conflict, "publish_policy", **sent)
    refused(tx, errors.Conflict, "publish_policy", pack="pack", entries=Json({}), tenant="*")


def test_keys_of_a_pack_do_not_begin_with_others(tx: Connection) -> None:
    scene = Scene(tx)
    entries = {f"constraint.c{number}": allow("A") for number in range(1500)}
    entries["constraint.c7.more"] = allow("A")
    sent = {"pack": "p", "entries": Json(entries), "credential": scene.policy}
    error = refused(tx, errors.InvalidRequest, "publish_policy", **sent)
    assert [one["key"] for one in error.details["findings"]] == ["constraint.c7.more"]


def test_what_a_refused_policy_lacks_is_told(tx: Connection) -> None:
    scene = Scene(tx)
    answer = scene.apply({"constraint.invariant.i": deny(when=op("eq", "fact.z", 1))})
    assert (answer["approved"], answer["reasons"][0]["key"]) == (False, "constraint.invariant.i")
    assert "fact.z" in answer["reasons"][0]["detail"]


def test_an_empty_vector_replaces_one(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    for core in ([1.5], []):
        assert told(scene.propose({"kind": "state_delta", "s_core": core})) == ALLOWED
        assert scene("read_state")["s_core"] == core
    assert scene.is_whole()


def test_schemas_of_everybody_count_in_each_tenant(tx: Connection) -> None:
    scene = Scene(tx)
    call(tx, "register_schema", schema_id="all", document=Json(AMOUNT), tenant="*")
    entries = {"constraint.x": allow("A", when=op("schema", "all"))}
    call(tx, "publish_policy", pack="all", entries=Json(entries), tenant="*")
    scene("apply_policy", scene.policy, pack="all", version=1)
    assert told(scene.propose(tool_call("A", {"amount": 1}))) == ALLOWED
    assert told(scene.propose(tool_call("A", {"amount": 501})))[2] == "NO_APPLICABLE_ALLOW"
    # Nobody takes its place.
    sent = {"schema_id": "all", "document": Json({}), "credential": scene.policy}
    refused(tx, errors.Conflict, "register_schema", **sent)
    call(tx, "register_schema", schema_id="own", document=Json({}), credential=scene.policy)
    refused(tx, errors.Conflict, "register_schema", schema_id="own", document=Json({}), tenant="*")


@pytest.mark.parametrize(
    "items",
    [
        [delta({"x" + ".a" * 16000: value(1)})],
        [delta({f"goal.k{number}": value(1) for number in range(1000)})],
        [delta({f"goal.k{n}.b{m}": value(1) for n in range(10)}) for m in range(100)],
    ],
    ids=["long", "many", "spread"],
)
def test_many_and_long_keys_are_bounded(tx: Connection, items: list[Any]) -> None:
    """They are decided, not hung upon; what it takes is not asserted but by the limit of tests."""
    scene = Scene(tx, GRANT)
    assert scene.propose(*items, who=scene.agent)["decision"] in ("allow", "deny")
    too_many = [delta({f"goal.k{number}": value(1) for number in range(1001)})]
    with pytest.raises(errors.PayloadTooLarge), tx.transaction():
        scene.propose(*too_many)


def test_a_setting_of_the_caller_changes_no_verdict(database: str) -> None:
    options = "-c standard_conforming_strings=off"
    with psycopg.connect(database, autocommit=True, options=options) as connection:
        connection.execute("set escape_string_warning = off")
        scene = Scene(connection, GRANT)
        for key in ("fact.a b", "fact.x/y", "factxa"):
            answer = scene.write({key: value(1)}, who=scene.tool)
            assert told(answer) == (*BLOCKED, "NAMESPACE_UNKNOWN")
        token = scene.issue(resource_roots=["/data"])["secret"]
        answer = scene.propose(tool_call("A", {"path": "/data/a\\b"}), capability_token=token)
        assert told(answer) == (*BLOCKED, "RESOURCE_OUT_OF_SCOPE")
        scene.fact("fact.x", "y")
    with psycopg.connect(database, autocommit=True) as connection:
        assert call(connection, "verify", session_id=scene.id)["ok"]


def test_what_is_probably_misspelt_is_warned_of(tx: Connection) -> None:
    scene = Scene(tx)
    entries = {
        "constraint.a": deny(capability="paymnts"),
        "constraint.b": allow("nowhere"),
        "constraint.c": allow("A", when=op("eq", "policy.limits.x", 1)),
        "policy.arbitraton": {"v": 1, "default": "grant"},
        "policy.limits": {"v": 1, "x": 1},
    }
    found = call(tx, "lint_policy", entries=Json(entries), credential=scene.policy)
    assert found["n_errors"] == 0
    assert [one["key"] for one in found["findings"]] == [
        "constraint.a",
        "constraint.b",
        "policy.arbitraton",
    ]


@pytest.mark.parametrize(
    ("path", "leads_to"),
    [
        ("fact.db", {"up": True, "at": 1, "nodes": ["a", "b"]}),
        ("fact.db.up", True),
        ("fact.db.at", 2),
        ("fact.db.nodes.1", "b"),
        ("fact.db.v", 1),
        ("fact.db.down", None),
    ],
)
def test_a_path_leads_where_the_page_says(tx: Connection, path: str, leads_to: Any) -> None:
    value = {"v": 1, "value": {"up": True, "at": 1, "nodes": ["a", "b"]}, "at": 2}
    query = "select (cmbs_store.value_at_path(%s::jsonb, %s)).p_value"
    ((found,),) = tx.execute(query, [Json({"fact.db": value}), path]).fetchall()
    assert found == leads_to
