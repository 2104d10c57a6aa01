"""Conformance cases 1 to 15: shape, storage, authority."""

import hashlib

import psycopg
import pytest
from psycopg.types.json import Json

from cmbs import errors
from cmbs.database.calls import call
from tests.sql.verdict.scene import (
    ALLOWED,
    BLOCKED,
    GRANT,
    Scene,
    allow,
    codes,
    delta,
    told,
    tool_call,
    value,
)
from tests.support.beliefs import Connection, refused
from tests.support.tables import TABLES

# A table that others refer to is not even looked at by TRUNCATE.
REFUSED = (psycopg.errors.InsufficientPrivilege, psycopg.errors.FeatureNotSupported)


@pytest.mark.parametrize("text", ["{", "", "nothing", '{"v": 1e999999}', "[" * 200 + "]" * 200])
def test_case_1_a_value_that_is_no_json(tx: Connection, text: str) -> None:
    scene = Scene(tx, GRANT)
    answer = scene.write({"fact.x": text}, who=scene.tool)
    assert told(answer) == (*BLOCKED, "VALUE_NOT_JSON")
    assert scene.state() == {}
    assert scene.is_whole()


@pytest.mark.parametrize(
    "text",
    ['{"value": 1}', '{"v": 2}', '{"v": "1"}', "[1]", "3", "null", {"value": 1}, [1], [], [[1]]],
    ids=str,
)
def test_case_2_a_value_without_its_version(tx: Connection, text: object) -> None:
    scene = Scene(tx, GRANT)
    assert told(scene.write({"fact.x": text}, who=scene.tool)) == (
        *BLOCKED,
        "VALUE_VERSION_INVALID",
    )


def test_a_value_with_a_member_twice(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    answer = scene.write({"fact.x": '{"v": 1, "v": 1}'}, who=scene.tool)
    assert told(answer) == (*BLOCKED, "DUPLICATE_JSON_KEY")


def test_case_3_null_deletes_a_key_and_the_delta_stays(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    scene.write({"goal.x": value(1), "goal.y": '{"v":1,  "value": 2}'})
    before = scene.head()
    assert scene.state() == {"goal.x": '{"v": 1, "value": 1}', "goal.y": '{"v":1,  "value": 2}'}
    assert told(scene.write({"goal.x": None})) == ALLOWED
    assert scene.state() == {"goal.y": '{"v":1,  "value": 2}'}
    then = scene("read_state", as_of=before)
    assert set(then["f_sparse"]) == {"goal.x", "goal.y"}
    assert scene.is_whole()


def test_case_4_state_from_any_checkpoint(db: Connection) -> None:
    """250 deltas, of which every hundredth leaves a checkpoint; every state along the way."""
    scene = Scene(db, GRANT)
    expected: dict[str, str] = {}
    core: list[float] | None = None
    states = []
    for number in range(250):
        patch: dict[str, object] = {f"fact.k{number % 7}": value(number)}
        if number % 5 == 4:
            patch = {f"fact.k{number % 7}": None, f"goal.g{number}": value("x")}
            core = [number / 8, 1.5]
        who = scene.agent if number % 5 == 4 else scene.tool
        items = [delta({key: sent}) for key, sent in patch.items() if key.startswith("goal")]
        if items:
            items[0]["s_core"] = core
            assert told(scene.propose(*items, who=who)) == ALLOWED
            expected[f"goal.g{number}"] = '{"v": 1, "value": "x"}'
        patch = {key: sent for key, sent in patch.items() if key.startswith("fact")}
        assert told(scene.write(patch, who=scene.tool)) == ALLOWED
        for key, sent in patch.items():
            expected.pop(key, None)
            if sent is not None:
                expected[key] = f'{{"v": 1, "value": {number}}}'
        states.append((scene.head(), dict(expected), core))
    assert db.execute("select count(*) from cmbs_store.state_checkpoint").fetchone() == (3,)
    for event, state, vector in states[::9]:
        found = scene("read_state", as_of=event)
        assert (found["f_sparse"], found["s_core"]) == (state, vector)
    assert scene.is_whole()


def test_case_5_what_was_written_stays(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    scene.write({"goal.x": value(1)})
    scene.propose(tool_call())
    for setting in ("origin", "replica"):
        tx.execute(f"set session_replication_role to {setting}".encode())
        for table in TABLES:
            for statement in (f"delete from cmbs_store.{table}", f"truncate cmbs_store.{table}"):
                with pytest.raises(REFUSED), tx.transaction():
                    tx.execute(statement.encode())
        for table in ("state_delta", "audit_event", "capability_token", "proposal", "policy"):
            column = {"audit_event": "verb", "capability_token": "holder"}.get(table)
            column = column or {"proposal": "actor", "policy": "n_entries"}.get(table, "patch")
            update = f"update cmbs_store.{table} set {column} = {column}"
            with pytest.raises(psycopg.errors.InsufficientPrivilege), tx.transaction():
                tx.execute(update.encode())


def test_case_6_no_key_begins_with_another(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    scene.fact("fact.user", "ann")
    for key in ("fact.user.tier", "fact.user.a.b"):
        answer = scene.write({key: value(1)}, who=scene.tool)
        assert told(answer) == (*BLOCKED, "KEY_PREFIX_CONFLICT")
        assert answer["reasons"][0]["detail"] == "fact.user"
    assert told(scene.write({"fact.username": value(1)}, who=scene.tool)) == ALLOWED
    scene.fact("fact.deep.er", 1)
    assert codes(scene.write({"fact.deep": value(1)}, who=scene.tool)) == ["KEY_PREFIX_CONFLICT"]
    # Deleted in the same proposal, it is in nobody's way.
    assert (
        told(scene.propose(delta({"fact.user": None, "fact.user.tier": value(1)}), who=scene.tool))
        == ALLOWED
    )
    # Within one proposal as well.
    both = scene.propose(delta({"goal.a": value(1), "goal.a.b": value(2)}))
    assert set(codes(both)) == {"KEY_PREFIX_CONFLICT"}


@pytest.mark.parametrize(
    ("case", "who", "key"),
    [
        (7, "agent", "policy.x"),
        (8, "agent", "constraint.x"),
        (9, "agent", "fact.x"),
        (10, "tool", "goal.x"),
        (10, "encoder", "goal.x"),
        (7, "tool", "policy.x"),
        (0, "tool", "fact.belief.n_survivors"),
        (0, "encoder", "fact.belief"),
    ],
)
def test_cases_7_to_10_namespaces(tx: Connection, case: int, who: str, key: str) -> None:
    scene = Scene(tx, GRANT)
    answer = scene.write({key: value(1)}, who=getattr(scene, who))
    assert answer["decision"] == "deny"
    assert answer["reason_code"] == "NAMESPACE_FORBIDDEN"
    assert answer["reasons"][0]["key"] == key
    if key.startswith("policy."):
        # Recorded, and so never said otherwise.
        assert answer["reasons"][0]["detail"] == "policy changes by policy_apply"
    event = scene.last_event()
    assert (event["verb"], event["event_id"]) == ("PROPOSE", answer["audit_event_id"])
    assert event["payload"]["reason_code"] == "NAMESPACE_FORBIDDEN"
    assert scene.state() == {}


def test_tools_are_called_by_agents(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    assert told(scene.propose(tool_call(), who=scene.tool)) == (*BLOCKED, "NAMESPACE_FORBIDDEN")


@pytest.mark.parametrize("who", ["tool", "encoder"])
def test_case_11_a_fact_that_a_constraint_allows(tx: Connection, who: str) -> None:
    scene = Scene(tx, {"constraint.facts": allow(capability="state.write.fact")})
    before = scene("query_belief", minimal=True)["audit_seq"]
    assert told(scene.write({"fact.x": value(1)}, who=getattr(scene, who))) == ALLOWED
    assert scene("query_belief", minimal=True)["audit_seq"] == before + 1
    (n_deltas,) = tx.execute("select count(*) from cmbs_store.state_delta").fetchone() or ()
    assert n_deltas == 1


@pytest.mark.parametrize("role", ["cmbs_agent", "cmbs_policy", "cmbs_auditor", "cmbs_server"])
def test_case_12_nobody_writes_past_the_verbs(tx: Connection, role: str) -> None:
    tx.execute(f"set local role {role}".encode())
    for table in TABLES:
        with pytest.raises(psycopg.errors.InsufficientPrivilege), tx.transaction():
            tx.execute(f"insert into cmbs_store.{table} default values".encode())


@pytest.mark.parametrize("key", ["misc.x", "fact", "fact.", "Fact.x", "fact.X", "fact.x y", "x"])
def test_case_13_other_namespaces(tx: Connection, key: str) -> None:
    scene = Scene(tx, GRANT)
    answer = scene.write({key: value(1)}, who=scene.tool)
    assert told(answer) == (*BLOCKED, "NAMESPACE_UNKNOWN")
    long = scene.write({"fact." + "x" * 196: value(1)}, who=scene.tool)
    assert told(long) == (*BLOCKED, "NAMESPACE_UNKNOWN")


def test_case_14_no_setting_says_who_calls(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    for name in ("cmbs.actor", "cmbs.principal", "app.user"):
        tx.execute(f"select set_config('{name}', 'policy', true)".encode())
    assert scene.write({"fact.x": value(1)})["reason_code"] == "NAMESPACE_FORBIDDEN"
    assert scene.last_event()["actor"] == "agent"


def test_case_15_another_policy_is_another_version(tx: Connection) -> None:
    scene = Scene(tx, {"constraint.x": allow("A")})
    first = scene("read_state")["pack"]
    applied = scene.apply({"constraint.x": allow("B")})
    second = scene("read_state")["pack"]
    assert applied["approved"]
    assert (first["version"], second["version"]) == (1, 2)
    assert first["policy_hash"] != second["policy_hash"]
    old = call(tx, "read_policy", pack="pack", version=1, credential=scene.policy)
    assert old["entries"]["constraint.x"]["subject"] == {"tool_id": "A"}
    kinds = tx.execute("select kind, key, value from cmbs.state_change order by seq").fetchall()
    assert kinds == [("policy", "pack", "1"), ("policy", "pack", "2")]
    assert scene.is_whole()


def test_a_policy_is_addressed_by_its_canonical_text(tx: Connection) -> None:
    scene = Scene(tx)
    entries = {"constraint.x": allow("A"), "policy.longer": value(1)}
    published = scene.publish(entries)
    texts = {
        "policy.longer": '{"v": 1, "value": 1}',
        "constraint.x": '{"v": 1, "effect": "allow", "subject": {"tool_id": "A"}}',
    }
    (canonical,) = tx.execute("select %s::jsonb::text", [Json(texts)]).fetchone() or ()
    assert published["policy_hash"] == hashlib.sha256(canonical.encode()).hexdigest()
    again = scene.publish(dict(reversed(entries.items())))
    assert again == published | {"duplicate": True}


def test_only_the_policy_role_sets_policy(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    for who in (scene.agent, scene.tool, scene.approver):
        for verb, arguments in (
            ("publish_policy", {"pack": "p", "entries": Json({})}),
            ("halt_policy", {"is_halted": True, "reason": "x"}),
            ("register_tool", {"tool_id": "t", "definition": Json({})}),
            ("withdraw_tool", {"tool_id": "A"}),
            ("register_schema", {"schema_id": "s", "document": Json({})}),
            ("apply_policy", {"session_id": scene.id, "pack": "pack", "version": 1}),
            ("issue_capability", {"session_id": scene.id, "grant": Json({"holder": "x"})}),
        ):
            refused(tx, errors.Forbidden, verb, credential=who, **arguments)
