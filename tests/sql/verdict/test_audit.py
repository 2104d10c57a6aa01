"""Conformance cases 84, 85, 86, 88, 89: one event each, errors, verify, replay, dry runs."""

import json
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg.types.json import Json

from cmbs import errors
from cmbs.database.calls import call
from tests.sql.verdict.scene import (
    ALLOWED,
    BLOCKED,
    CLAIMS,
    GRANT,
    Scene,
    allow,
    delta,
    deny,
    op,
    rich_arbitration,
    told,
    tool_call,
    value,
)
from tests.support.beliefs import ONTOLOGY, Connection, contents, refused
from tests.support.sizes import sampled

# Every function that a verdict goes through, with what makes it fail.
STAGES = [
    "idempotency_reasons",
    "session_reasons",
    "authority_reasons",
    "capability_reasons",
    "scope_reasons",
    "budget_reasons",
    "resource_reasons",
    "tool_reasons",
    "patch_reasons",
    "prefix_reasons",
    "conflict_reasons",
    "goal_reasons",
    "constraints_on",
    "constraint_reasons",
    "holds",
    "value_at_path",
    "nearest_change",
    "schema_walk",
    "invariant_reasons",
    "post_state",
    "evidence",
    "values_read",
    "stored_values",
    "belief_values",
    "independent_survivors",
    "tools_named",
    "tool_definitions",
    "schemas_named",
    "schema_documents",
    "item_subjects",
    "halt_reasons",
    "policy_reasons",
    "with_offers",
    "evaluate",
    "proposal_reasons",
    "constraints_against",
    "waived",
    "mode_in_force",
    "mode_setting",
    "scheduler_reasons",
    "deferral_offer",
    "is_deferred",
    "asked_items",
    "permit_offer",
    "derived_id",
]
RICH = GRANT | {
    "constraint.a": deny("A", when=op("eq", "fact.belief.n_survivors_independent", 0)),
    "constraint.b": deny("A", when=op("eq", "goal.x", "never")),
    "constraint.c": deny("A", when=op("not", op("schema", "s")), on_fail="ask"),
    "constraint.d": allow("A", when=op("exists", "fact.none")),
    "constraint.invariant.i": deny(when=op("exists", "goal.forbidden")),
}


def rich(connection: Connection) -> Scene:
    scene = Scene(connection)
    schema = {"type": "object", "required": ["path"]}
    call(
        connection, "register_schema", schema_id="s", document=Json(schema), credential=scene.policy
    )
    scene.apply(RICH)
    assert told(scene.write({"goal.x": value(1)})) == ALLOWED
    return scene


def everything(scene: Scene, token: str | None = None) -> Any:
    token = token or scene.issue(resource_roots=["/data"])["secret"]
    items = [
        delta({"goal.y": {"v": 1, "exclusive_group": "g"}}),
        tool_call("A", {"path": "/data/x"}),
    ]
    return scene.propose(*items, capability_token=token)


def test_everything_passes_when_nothing_fails(db: Connection) -> None:
    scene = rich(db)
    assert told(everything(scene)) == ALLOWED
    assert scene.is_whole()


@pytest.mark.parametrize("stage", STAGES)
def test_case_85_an_error_in_any_stage_permits_nothing(tx: Connection, stage: str) -> None:
    scene = rich(tx)
    token = scene.issue(resource_roots=["/data"])["secret"]
    state, before = scene.state(), scene("query_belief", minimal=True)
    arguments, returns = tx.execute(
        "select pg_get_function_arguments(p.oid), pg_get_function_result(p.oid) "
        "from pg_proc as p where p.oid = %s::regproc",
        [f"cmbs_store.{stage}"],
    ).fetchone() or (None, None)
    assert arguments
    tx.execute(
        f"create or replace function cmbs_store.{stage}({arguments}) returns {returns} language "
        "plpgsql stable as $$ begin perform 1 / (random() * 0)::integer; end $$".encode()
    )
    failing = everything(scene, token)
    if stage == "nearest_change":
        # Only asked where something is denied.
        assert told(failing) == ALLOWED
        failing = scene.propose(tool_call("A"), capability_token=token)
    assert told(failing) == (*BLOCKED, "EVALUATION_ERROR")
    assert not any(item["effective"] for item in failing["items"])
    if stage != "nearest_change":
        assert scene.state() == state
        assert scene("query_belief", minimal=True)["audit_seq"] == before["audit_seq"] + 1
        (spent,) = tx.execute("select count(*) from cmbs_store.capability_spending").fetchone() or (
            None,
        )
        assert spent == 0
    event = scene.last_event()
    assert event["payload"]["reason_code"] == "EVALUATION_ERROR"
    assert "division" not in json.dumps(event), "no text of the server goes out"


def test_case_84_one_event_with_every_verdict(tx: Connection) -> None:
    scene = rich(tx)
    before = scene("query_belief", minimal=True)["audit_seq"]
    answers = [
        everything(scene),
        scene.propose(tool_call("A", {"path": 1}), tool_call("B"), tool_call("R")),
        scene.propose(tool_call("nowhere"), delta({"fact.x": value(1)})),
        scene.propose(tool_call("B"), state_snapshot_id=str(uuid4())),
    ]
    # One more for the token that the first proposal showed.
    assert scene("query_belief", minimal=True)["audit_seq"] == before + len(answers) + 1
    events = {
        event["event_id"]: event
        for event in scene.session("audit_trace", credential=scene.agent)["events"]
    }
    for answer in answers:
        payload = events[answer["audit_event_id"]]["payload"]
        assert payload["items"] == answer["items"]
        assert len(payload["items"]) == len(payload["proposal"]["items"])
        assert payload["policy"] == answer["policy"]
        assert len(payload["policy"]["policy_hash"]) == 64
        assert payload["proposal"]["state_snapshot_id"]
        assert "capability_token" not in payload["proposal"]
        for item in payload["items"]:
            assert len(item["digest"]) == 64
            assert {"decision", "disposition", "reason_code", "reasons"} <= set(item)
    assert scene.is_whole()


def test_snapshots(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    declared = scene.declared_event()
    assert told(scene.propose(tool_call("R"), state_snapshot_id=declared)) == (
        "defer",
        "defer",
        "SNAPSHOT_STALE",
    ), "the policy was applied since"
    for unknown in (str(uuid4()), scene.head()[:-1] + "f"):
        answer = scene.propose(tool_call("R"), state_snapshot_id=unknown)
        assert told(answer) == (*BLOCKED, "SNAPSHOT_UNKNOWN")
    changes = [
        lambda: scene.session.eliminate("a", credential=scene.agent),
        lambda: scene.session.enter("o", 0, credential=scene.agent),
        lambda: scene.session.exit("o", credential=scene.agent),
        lambda: scene.session.conclude("c", credential=scene.agent),
        lambda: scene.write({"goal.x": value(1)}),
        lambda: scene.propose({"kind": "state_delta", "s_core": [1]}),
        lambda: scene.apply(GRANT | {"policy.x": value(1)}),
    ]
    for change in changes:
        seen = scene.head()
        change()
        answer = scene.propose(tool_call("R"), state_snapshot_id=seen)
        assert told(answer) == ("defer", "defer", "SNAPSHOT_STALE")
    seen = scene.head()
    for _ in range(2):
        scene.propose(tool_call("R"))
        scene.propose(tool_call("nowhere"))
        scene.session.eliminate("a", credential=scene.agent)
    assert told(scene.propose(tool_call("R"), state_snapshot_id=seen)) == ALLOWED
    assert scene.is_whole()


def test_case_89_a_dry_run_says_the_same_and_writes_nothing(tx: Connection) -> None:
    scene = rich(tx)
    proposals: list[tuple[Any, ...]] = [
        (tool_call("A", {"path": "/data/x"}),),
        (tool_call("A"),),
        (tool_call("B"), delta({"goal.z": value(1)})),
        (delta({"goal.forbidden": value(1)}),),
        (delta({"misc": value(1)}),),
    ]
    for number, items in enumerate(proposals):
        key = f"same {number}"
        before = contents(tx)
        dry = scene.propose(*items, mode="dry_run", idempotency_key=key)
        assert contents(tx) == before
        assert (dry["proposal_id"], dry["audit_event_id"]) == (None, None)
        assert not any({"permit_id", "interrupt_id"} & item.keys() for item in dry["items"])
        enforced = scene.propose(*items, mode="enforce", idempotency_key=key)
        for answer in (dry, enforced):
            for item in answer["items"]:
                for follows in ("permit_id", "permit", "interrupt_id", "interrupt"):
                    item.pop(follows, None)
        for name in ("decision", "disposition", "reason_code", "reasons", "items", "policy"):
            assert dry[name] == enforced[name]
        again = scene.propose(*items, mode="dry_run", idempotency_key=key)
        assert (again["duplicate"], again["proposal_id"]) == (True, enforced["proposal_id"])


def forge(scene: Scene, seq: int, change: dict[str, Any]) -> None:
    """One event's payload changed, and every record after it hashed anew."""
    execute = scene.connection.execute
    with scene.connection.transaction():
        execute("alter table cmbs_store.audit_event disable trigger all")
        execute("alter table cmbs_store.session disable trigger all")
        previous = None
        for number, record in execute(
            "select seq, record from cmbs_store.audit_event where session_id = %s order by seq",
            [scene.id],
        ).fetchall():
            if number < seq:
                previous = None
                continue
            query = (
                "select jsonb_set(%s::jsonb, '{payload}', "
                "(%s::jsonb -> 'payload') || %s::jsonb)::text"
            )
            if number == seq:
                (record,) = execute(query, [record, record, json.dumps(change)]).fetchone() or ("",)
            if previous is not None:
                query = "select jsonb_set(%s::jsonb, '{prev_event_hash}', to_jsonb(%s::text))::text"
                (record,) = execute(query, [record, previous]).fetchone() or ("",)
            execute(
                "update cmbs_store.audit_event set record = %s, event_hash = "
                "cmbs_store.event_hash_v1(%s) where session_id = %s and seq = %s",
                [record, record, scene.id, number],
            )
            (previous,) = execute(
                "select encode(cmbs_store.event_hash_v1(%s), 'hex')", [record]
            ).fetchone() or (None,)
        execute(
            "update cmbs_store.session set audit_head_hash = decode(%s, 'hex') "
            "where session_id = %s",
            [previous, scene.id],
        )
        execute("alter table cmbs_store.audit_event enable always trigger audit_event_append_only")
        execute("alter table cmbs_store.session enable always trigger session_append_only")
        execute("alter table cmbs_store.session enable always trigger session_tenant_fixed")


def found(scene: Scene) -> Any:
    return call(scene.connection, "verify", session_id=scene.id)


@pytest.fixture
def recorded(db: Connection) -> tuple[Scene, dict[str, int]]:
    """A session with an allowed call, a denied one, a delta, tokens, claims; and where they are."""
    scene = rich(db)
    seqs = {}

    def at(name: str, answer: Any) -> None:
        seqs[name] = answer["snapshot"]["audit_seq"]

    scene.session.eliminate("a", credential=scene.agent)
    at("allowed", scene.propose(tool_call("B")))
    at("denied", scene.propose(tool_call("A")))
    at("delta", scene.write({"goal.z": value(7)}))
    at("token", scene.issue())
    at("claim", scene.claim(kind="hypothesis", key="k", value=1, ttl_ms=60000))
    scene.apply(GRANT | CLAIMS)
    at("last", scene.propose(tool_call("R")))
    assert scene.is_whole()
    return scene, seqs


@pytest.mark.parametrize(
    ("name", "change"),
    [
        (
            "denied",
            {
                "decision": "allow",
                "disposition": "execute",
                "reason_code": "ALLOWED",
                "reasons": [],
            },
        ),
        ("allowed", {"decision": "deny"}),
        ("allowed", {"roles": ["tool"]}),
        ("allowed", {"is_token_shown": False}),
        ("allowed", {"halt": "never"}),
        ("allowed", {"is_full": False}),
        ("denied", {"is_full": False}),
        ("allowed", {"tools": {}}),
        ("allowed", {"decided_at": "2001-01-01T00:00:00.000000Z"}),
        ("delta", {"reads": {}}),
        ("claim", {"confirmed": True}),
        ("claim", {"kind": "fact"}),
        ("token", {"decided_at": "2999-01-01T00:00:00.000000Z"}),
        ("token", {"tools": ["A", "B", "R", "more"]}),
        ("last", {"policy": {"pack": "pack", "version": 1, "policy_hash": "0" * 64}}),
    ],
    ids=str,
)
def test_case_86_a_forged_decision_is_found(
    recorded: tuple[Scene, dict[str, int]], name: str, change: dict[str, Any]
) -> None:
    scene, seqs = recorded
    forge(scene, seqs[name], change)
    answer = found(scene)
    assert not answer["ok"]
    assert answer["first_bad"]["seq"] == seqs[name], answer


@pytest.mark.parametrize(
    "statement",
    sampled(
        [
            'update cmbs_store.state_value set value = \'{"v": 1, "value": 8}\' '
            "where key = 'goal.z'",
            "delete from cmbs_store.state_value where key = 'goal.z'",
            "delete from cmbs_store.state_delta",
            "update cmbs_store.state_delta set delta_no = delta_no + 1",
            "update cmbs_store.capability_token set tools = '{everything}'",
            "update cmbs_store.capability_token set expires_at = 'infinity'",
            "update cmbs_store.capability_token set chain = '{}'",
            "update cmbs_store.capability_spending set spent = 0",
            "delete from cmbs_store.capability_spending",
            "delete from cmbs_store.policy_pin where seq > 2",
            "update cmbs_store.proposal set reason_code = 'ALLOWED'",
            "delete from cmbs_store.proposal",
            "update cmbs_store.claim set is_confirmed = true",
            "insert into cmbs_store.claim_confirmation select session_id, 1, 'k', '\\x00' "
            "from cmbs_store.session",
            "update cmbs_store.policy_entry set effect = 'allow' where effect = 'deny'",
            "delete from cmbs_store.policy_entry where key = 'constraint.a'",
            "update cmbs_store.policy set settings = '{}'",
            "update cmbs_store.elimination_claimant set actor = 'x'",
            "insert into cmbs_store.elimination_claimant select session_id, 'b', 'agent', 1 "
            "from cmbs_store.session",
        ]
    ),
)
def test_what_was_changed_under_the_log_is_found(
    recorded: tuple[Scene, dict[str, int]], statement: str
) -> None:
    scene, _ = recorded
    table = statement.split("cmbs_store.")[1].split()[0]
    with scene.connection.transaction():
        scene.connection.execute(f"alter table cmbs_store.{table} disable trigger all".encode())
        changed = scene.connection.execute(statement.encode())
        if changed.rowcount == 0:
            pytest.fail("nothing was changed")
        scene.connection.execute(f"alter table cmbs_store.{table} enable trigger all".encode())
    assert not found(scene)["ok"], statement


def test_case_88_every_proposal_decided_again_is_the_same(db: Connection) -> None:
    scene = rich(db)
    everything(scene)
    scene.propose(tool_call("A"))
    scene.propose(tool_call("A"), idempotency_key="k")
    scene.propose(tool_call("B"), idempotency_key="k")
    scene.session.eliminate("a", "b", credential=scene.agent)
    scene.propose(tool_call("R"), tool_call("nowhere"), atomic=False)
    version = scene("read_state")["pack"]["version"]
    answer = scene("replay_policy", pack="pack", version=version)
    assert (answer["n_proposals"], answer["n_flips"]) == (6, 0)
    published = scene.publish(GRANT | {"constraint.x": deny("B")})
    answer = scene("replay_policy", pack="pack", version=published["version"])
    flips = {flip["recorded"]["reason_code"]: flip["replayed"] for flip in answer["flips"]}
    assert flips["CONSTRAINT_DENIED"]["decision"] == "allow"
    assert scene.is_whole()


def test_a_declare_names_its_pack(tx: Connection) -> None:
    scene = Scene(tx)
    scene.publish(GRANT)
    sent = {
        "session_id": uuid4(),
        "ontology": Json(ONTOLOGY),
        "hypotheses": ["a"],
        "arbitration": Json({"pack": "pack", "version": 1}),
        "credential": scene.agent,
    }
    call(tx, "declare_session", **sent)
    assert call(tx, "declare_session", **sent)["duplicate"]
    assert call(tx, "verify", session_id=sent["session_id"])["ok"]
    scene.id = UUID(str(sent["session_id"]))
    assert scene("read_state")["pack"]["pack"] == "pack"
    for other in ({"pack": "pack", "version": 2}, None):
        changed = sent | {"arbitration": Json(other) if other else None}
        kind = errors.Conflict
        refused(tx, kind, "declare_session", **changed)
    for bad in ({"pack": "pack"}, {"version": 1}, {"pack": "pack", "version": "1"}, {}, []):
        changed = sent | {"session_id": uuid4(), "arbitration": Json(bad)}
        refused(tx, errors.InvalidRequest, "declare_session", **changed)
    unknown = sent | {"session_id": uuid4(), "arbitration": Json({"pack": "no", "version": 1})}
    refused(tx, errors.PolicyNotFound, "declare_session", **unknown)


def test_a_terminated_session_takes_no_proposal(tx: Connection) -> None:
    scene = Scene(tx, GRANT, hypotheses="a")
    first = scene.propose(tool_call("R"), idempotency_key="k")
    scene.session.terminate(credential=scene.agent)
    again = scene.propose(tool_call("R"), idempotency_key="k")
    assert (again["duplicate"], again["proposal_id"]) == (True, first["proposal_id"])
    with pytest.raises(errors.SessionTerminated), tx.transaction():
        scene.propose(tool_call("R"))
    with pytest.raises(errors.SessionTerminated), tx.transaction():
        scene.claim(kind="hypothesis", key="k", value=1, ttl_ms=1)
    with pytest.raises(errors.SessionTerminated), tx.transaction():
        scene.issue()
    with pytest.raises(errors.SessionTerminated), tx.transaction():
        scene.apply(CLAIMS)
    assert scene.is_whole()


@pytest.mark.parametrize(
    "change",
    [
        {"state_snapshot_id": None},
        {"state_snapshot_id": "x"},
        {"state_snapshot_id": 1},
        {"provenance": None},
        {"provenance": {}},
        {"provenance": {"source": ""}},
        {"provenance": {"source": 1}},
        {"provenance": []},
        {"items": None},
        {"items": []},
        {"items": {}},
        {"items": [1]},
        {"items": [{}]},
        {"items": [{"kind": "x"}]},
        {"items": [{"kind": "tool_call"}]},
        {"items": [{"kind": "tool_call", "tool_id": ""}]},
        {"items": [{"kind": "tool_call", "tool_id": "A", "args": []}]},
        {"items": [{"kind": "tool_call", "tool_id": "A", "artifacts": 1}]},
        {"items": [{"kind": "tool_call", "tool_id": "A", "intent_summary": 1}]},
        {"items": [{"kind": "tool_call", "tool_id": "A", "more": 1}]},
        {"items": [{"kind": "state_delta"}]},
        {"items": [{"kind": "state_delta", "patch": {}}]},
        {"items": [{"kind": "state_delta", "patch": []}]},
        {"items": [{"kind": "state_delta", "patch": {"goal.x": 1}}]},
        {"items": [{"kind": "state_delta", "patch": {"goal.x": True}}]},
        {"items": [{"kind": "state_delta", "s_core": ["1"]}]},
        {"items": [{"kind": "state_delta", "s_core": [1e300]}]},
        {"items": [{"kind": "state_delta", "s_core": 1}]},
        {"items": [{"kind": "state_delta", "patch": {"goal.x": None}, "more": 1}]},
        {"items": [{"kind": "tool_call", "tool_id": "R"}] * 101},
        {"atomic": "yes"},
        {"mode": "maybe"},
        {"idempotency_key": ""},
        {"idempotency_key": 1},
        {"capability_token": 1},
        {"more": 1},
    ],
    ids=lambda change: str(change)[:70],
)
def test_proposals_that_are_none(tx: Connection, change: dict[str, Any]) -> None:
    scene = Scene(tx, GRANT)
    proposal = {
        "state_snapshot_id": scene.head(),
        "provenance": {"source": "agent://x"},
        "items": [tool_call("R")],
        **change,
    }
    sent = {"session_id": scene.id, "proposal": Json(proposal), "credential": scene.agent}
    refused(tx, errors.InvalidRequest, "propose", **sent)


def test_sources_and_roles(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    call(tx, "change_principal", name="agent", source_prefixes=["agent://"])
    assert told(scene.propose(tool_call("R"))) == ALLOWED
    for who, source in ((scene.agent, "other://x"), (scene.approver, "agent://x")):
        proposal = {
            "state_snapshot_id": scene.head(),
            "provenance": {"source": source},
            "items": [tool_call("R")],
        }
        sent = {"session_id": scene.id, "proposal": Json(proposal), "credential": who}
        refused(tx, errors.Forbidden, "propose", **sent)


def test_explaining(tx: Connection) -> None:
    scene = rich(tx)
    answer = scene.propose(tool_call("A", {"no": "path"}))
    told_ = scene("explain_decision", proposal_id=answer["proposal_id"])
    (item,) = told_["items"]
    outcomes = {one["key"]: one["outcome"] for one in item["constraints"]}
    assert outcomes == {
        "constraint.a": "does not deny",
        "constraint.b": "does not deny",
        "constraint.c": "denies",
        "constraint.d": "does not allow",
    }
    (c,) = [one for one in item["constraints"] if one["key"] == "constraint.c"]
    assert "path" in c["unlock"]
    assert c["condition"]["holds"] == "true"
    # As it was then, whatever came after.
    scene.write({"goal.x": value("never")})
    assert scene("explain_decision", proposal_id=answer["proposal_id"]) == told_
    not_one = {"session_id": scene.id, "proposal_id": scene.declared_event()}
    refused(tx, errors.InvalidRequest, "explain_decision", credential=scene.agent, **not_one)


def test_what_is_permitted(tx: Connection) -> None:
    scene = rich(tx)
    secret = scene.tokens[scene.agent]["secret"]
    found_ = {
        one["tool_id"]: one["decision"]
        for one in scene("list_permitted", capability_token=secret)["tools"]
    }
    assert found_ == {"A": "depends", "B": "allow", "R": "allow"}
    found_ = {one["tool_id"]: one["reason_code"] for one in scene("list_permitted")["tools"]}
    assert set(found_.values()) == {"TOKEN_MISSING"}
    before = contents(tx)
    scene("list_permitted", capability_token=secret)
    assert contents(tx) == before


def test_what_others_ask_for_is_independent(tx: Connection) -> None:
    scene = Scene(
        tx, {"constraint.x": allow("A", when=op("eq", "fact.belief.n_survivors_independent", 1))}
    )

    def n() -> Any:
        answer = scene.propose(tool_call("A"))
        event = scene.last_event()["payload"]
        return event["reads"]["fact.belief.n_survivors_independent"]["value"], answer["decision"]

    assert n() == (4, "deny")
    scene.session.eliminate("a", "b", "c", credential=scene.agent)
    assert scene("query_belief", minimal=True)["n_survivors"] == 1
    assert n() == (4, "deny"), "nobody unlocks their own gate"
    scene.session.eliminate("a", credential=scene.tool, source_id="t")
    assert n() == (3, "deny"), "the word of another counts, though it applied nothing"
    scene.session.eliminate("b", "c", "unknown", credential=scene.encoder, source_id="e")
    assert n() == (1, "allow")
    assert n() == (1, "allow")
    assert scene.is_whole()


def test_two_callers_of_one_connection_pool(database: str) -> None:
    """What one principal may is never what the next one gets."""
    with psycopg.connect(database, autocommit=True) as connection:
        scene = Scene(connection, GRANT)
        for _ in range(7):
            assert told(scene.write({"fact.x": value(1)}, who=scene.tool)) == ALLOWED
            assert scene.write({"fact.x": value(2)})["reason_code"] == "NAMESPACE_FORBIDDEN"


def tamper(scene: Scene, *statements: str) -> Any:
    """What verify says once the log was changed past everything that would refuse it."""
    execute = scene.connection.execute
    with scene.connection.transaction():
        execute("alter table cmbs_store.audit_event disable trigger all")
        for statement in statements:
            assert execute(statement.encode()).rowcount > 0
        execute("alter table cmbs_store.audit_event enable always trigger audit_event_append_only")
    return found(scene)["first_bad"]


LOG = "cmbs_store.audit_event"


def test_case_86_a_flipped_byte(recorded: tuple[Scene, dict[str, int]]) -> None:
    scene, seqs = recorded
    seq = seqs["denied"]
    flip = f"update {LOG} set record = replace(record, 'defer', 'Defer') where seq = {seq}"
    assert tamper(scene, flip)["seq"] == seq


def test_case_86_a_lost_end(recorded: tuple[Scene, dict[str, int]]) -> None:
    scene, seqs = recorded
    (last,) = scene.connection.execute(f"select max(seq) from {LOG}".encode()).fetchone() or (0,)
    assert last == seqs["last"]
    assert tamper(scene, f"delete from {LOG} where seq = {last}")["seq"] == last


def test_case_86_reordered(recorded: tuple[Scene, dict[str, int]]) -> None:
    scene, seqs = recorded
    one, other = seqs["allowed"], seqs["denied"]
    bad = tamper(
        scene,
        f"update {LOG} set seq = 999 where seq = {one}",
        f"update {LOG} set seq = {one} where seq = {other}",
        f"update {LOG} set seq = {other} where seq = 999",
    )
    assert bad["seq"] == one


@pytest.mark.parametrize(
    "setting",
    sampled(
        [
            "timezone = 'Asia/Kathmandu'",
            "datestyle = 'German, DMY'",
            "intervalstyle = 'sql_standard'",
            "bytea_output = 'escape'",
            "extra_float_digits = '-3'",
            "standard_conforming_strings = 'off'",
        ]
    ),
)
def test_case_87_whatever_the_settings_of_the_reader(database: str, setting: str) -> None:
    """In another cluster, too: tests/deploy/test_backup.py restores the like and verifies it."""
    with psycopg.connect(database, autocommit=True) as connection:
        session = rich_arbitration(connection)
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("set escape_string_warning = off")
        connection.execute(f"set {setting}".encode())
        assert call(connection, "verify", session_id=session.id)["ok"]
        again = rich_arbitration(connection)
    with psycopg.connect(database, autocommit=True) as connection:
        assert call(connection, "verify", session_id=again.id)["ok"]
