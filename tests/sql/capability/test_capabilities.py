"""Conformance cases 49 to 57 and 60 to 62: capability tokens, budgets, idempotency."""

import datetime
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from psycopg.types.json import Json

from cmbs import errors
from cmbs.database.calls import call
from tests.sql.verdict.scene import (
    ALLOWED,
    ALWAYS,
    BLOCKED,
    GRANT,
    Scene,
    codes,
    delta,
    told,
    tool_call,
    value,
)
from tests.support.beliefs import Connection, refused


def left(scene: Scene, token: Any) -> int:
    found: dict[str, int] = {
        one["token_id"]: one["left"].get("max_calls", 0)
        for one in scene("list_capabilities")["capability_tokens"]
    }
    return found[token["token_id"]]


def attenuate(scene: Scene, parent: Any, who: bytes | None = None, **grant: object) -> Any:
    sent = {"holder": "agent", "tools": ["A"], "budgets": {"max_calls": 5}, **grant}
    return scene(
        "narrow_capability", who, parent_id=parent["token_id"], grant=Json(sent), minimal=True
    )


def test_case_49_no_token(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    for item in (tool_call(), delta({"goal.x": value(1)})):
        answer = scene.propose(item, capability_token=None)
        assert told(answer) == (*BLOCKED, "TOKEN_MISSING")
    for secret in ("cmbs_cap_", "", "x" * 1000, "cmbs_cap_" + "0" * 64):
        answer = scene.propose(tool_call(), capability_token=secret)
        assert told(answer) == (*BLOCKED, "TOKEN_UNKNOWN")


def test_a_token_counts_in_its_session_alone(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    mine = scene.tokens[scene.agent]["secret"]
    call(
        tx,
        "declare_session",
        session_id=(other := uuid4()),
        ontology=Json(
            dict.fromkeys(
                (
                    "hypothesis_space_id",
                    "hypothesis_version",
                    "causal_graph_ref",
                    "causal_graph_version",
                ),
                "x",
            )
        ),
        hypotheses=["a"],
        arbitration=Json({"pack": "pack", "version": 1}),
        credential=scene.agent,
    )
    scene.id = other
    assert told(scene.propose(tool_call(), capability_token=mine))[2] == "TOKEN_UNKNOWN"


def test_case_50_the_very_moment(db: Connection) -> None:
    scene = Scene(db, GRANT)
    ends = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=1)
    begins = ends - datetime.timedelta(hours=1)
    token = scene.issue(valid_from=begins.isoformat(), expires_at=ends.isoformat())["secret"]

    def at(moment: datetime.datetime) -> tuple[str, str, str]:
        db.execute(
            "create or replace function cmbs_store.clock() returns timestamptz language sql "
            f"volatile as $$ select '{moment.isoformat()}'::timestamptz $$".encode()
        )
        return told(scene.propose(tool_call(), capability_token=token))

    ms = datetime.timedelta(milliseconds=1)
    assert at(begins - ms) == (*BLOCKED, "TOKEN_NOT_YET_VALID")
    assert at(begins) == ALLOWED
    assert at(ends - ms) == ALLOWED
    assert at(ends) == (*BLOCKED, "TOKEN_EXPIRED")
    assert scene.is_whole()


def test_case_51_somebody_elses_token(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    theirs = scene.tokens[scene.tool]["secret"]
    answer = scene.propose(tool_call(), capability_token=theirs)
    assert told(answer) == (*BLOCKED, "TOKEN_HOLDER_MISMATCH")
    assert left(scene, scene.tokens[scene.tool]) == 1000


def test_case_52_revoked_with_all_that_came_of_it(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    parent = scene.tokens[scene.agent]
    child = attenuate(scene, parent)
    grandchild = attenuate(scene, child, budgets={"max_calls": 1})
    assert told(scene.propose(tool_call(), capability_token=grandchild["secret"])) == ALLOWED
    revoked = scene("revoke_capability", scene.policy, token_id=parent["token_id"])
    assert not revoked["duplicate"]
    assert scene("revoke_capability", scene.policy, token_id=parent["token_id"])["duplicate"]
    for token in (parent, child, grandchild):
        answer = scene.propose(tool_call(), capability_token=token["secret"])
        assert answer["reason_code"] == "TOKEN_REVOKED"
    with pytest.raises(errors.Conflict), tx.transaction():
        attenuate(scene, child)
    assert scene.is_whole()


@pytest.mark.parametrize(
    ("wider", "grant"),
    [
        ("tools", {"tools": ["A", "C"]}),
        ("capabilities", {"capabilities": ["root"]}),
        ("state_prefixes", {"state_prefixes": ["goal.", "policy."]}),
        ("expires_at", {"expires_at": "2100-01-01T00:00:00.000001Z"}),
        ("budgets: max_calls", {"budgets": {"max_calls": 1001}}),
        ("budgets: euros", {"budgets": {"euros": 1}}),
        ("valid_from", {"valid_from": "2001-01-01T00:00:00Z"}),
    ],
)
def test_case_53_only_narrower(tx: Connection, wider: str, grant: dict[str, Any]) -> None:
    scene = Scene(tx, GRANT)
    parent = scene.tokens[scene.agent]
    with pytest.raises(errors.Conflict) as caught, tx.transaction():
        attenuate(scene, parent, **grant)
    assert caught.value.details["reason_code"] == "ATTENUATION_WIDENS"
    assert caught.value.details["wider_in"] == wider


def test_case_53_roots_approval_and_depth(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    rooted = scene.issue(resource_roots=["/data", "a.example"], approval_requirement="required")
    narrow = {"approval_requirement": "required"}
    for roots in ([], ["/"], ["/dat"], ["/data", "/etc"], ["b.example"]):
        with pytest.raises(errors.Conflict) as caught, tx.transaction():
            attenuate(scene, rooted, resource_roots=roots, **narrow)
        assert caught.value.details["wider_in"] == "resource_roots"
    with pytest.raises(errors.Conflict) as caught, tx.transaction():
        attenuate(scene, rooted, resource_roots=["/data/a"])
    assert caught.value.details["wider_in"] == "approval_requirement"
    token = attenuate(scene, rooted, resource_roots=["/data/a"], **narrow)
    for _ in range(6):
        token = attenuate(scene, token, resource_roots=["/data/a"], **narrow)
    with pytest.raises(errors.Conflict) as caught, tx.transaction():
        attenuate(scene, token, resource_roots=["/data/a"], **narrow)
    assert caught.value.details["wider_in"] == "depth"


def test_who_may_attenuate_and_revoke(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    mine = scene.tokens[scene.agent]
    grant = Json({"holder": "tool", "tools": ["A"], "budgets": {"max_calls": 1}})
    refused(
        tx,
        errors.Forbidden,
        "narrow_capability",
        session_id=scene.id,
        parent_id=mine["token_id"],
        grant=grant,
        credential=scene.tool,
    )
    refused(
        tx,
        errors.Forbidden,
        "revoke_capability",
        session_id=scene.id,
        token_id=mine["token_id"],
        credential=scene.tool,
    )
    child = attenuate(scene, mine, holder="tool")
    # Who made it may take it back, and so may its holder.
    scene("revoke_capability", scene.agent, token_id=child["token_id"])
    other = attenuate(scene, mine, holder="tool")
    scene("revoke_capability", scene.tool, token_id=other["token_id"])


def test_what_is_spent_is_spent_of_all_above(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    parent = scene.issue(budgets={"max_calls": 3})
    child = attenuate(scene, parent, budgets={"max_calls": 3})
    for _ in range(2):
        assert told(scene.propose(tool_call(), capability_token=child["secret"])) == ALLOWED
    assert (left(scene, parent), left(scene, child)) == (1, 1)
    assert told(scene.propose(tool_call(), capability_token=parent["secret"])) == ALLOWED
    assert (left(scene, parent), left(scene, child)) == (0, 0)
    for token in (parent, child):
        answer = scene.propose(tool_call(), capability_token=token["secret"])
        assert told(answer) == (*BLOCKED, "BUDGET_EXHAUSTED")
    assert scene.is_whole()


def test_a_unit_that_is_not_named_is_zero(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    token = scene.issue(budgets={})["secret"]
    answer = scene.propose(tool_call(), capability_token=token)
    assert told(answer) == (*BLOCKED, "BUDGET_EXHAUSTED")
    assert told(scene.propose(delta({"goal.x": value(1)}), capability_token=token)) == ALLOWED


def test_several_calls_in_one_proposal(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    token = scene.issue(budgets={"max_calls": 2})
    answer = scene.propose(*[tool_call()] * 3, capability_token=token["secret"])
    assert told(answer) == (*BLOCKED, "BUDGET_EXHAUSTED")
    assert left(scene, token) == 2
    assert told(scene.propose(*[tool_call()] * 2, capability_token=token["secret"])) == ALLOWED
    assert left(scene, token) == 0


@pytest.mark.parametrize(
    ("args", "allowed"),
    [
        ({"path": "/data/a"}, False),
        ({"path": "/data/aa"}, True),
        ({"path": "/data/aa/b"}, True),
        ({"path": "/data/aab"}, False),
        ({"path": "/data/aa/../x"}, False),
        ({"path": "/data/aa/.."}, False),
        ({"path": "/data/aa/./x"}, False),
        ({"path": "/data/aa//x"}, False),
        ({"path": "../data/aa"}, False),
        ({"path": "/data/aa/%2e%2e/x"}, False),
        ({"path": "/data/aa\\..\\x"}, False),
        ({"anything": "/etc/passwd"}, False),
        ({"deep": {"er": ["/etc/passwd"]}}, False),
        ({"url": "https://good.example/x"}, True),
        ({"url": "https://GOOD.example:8443/x"}, True),
        ({"url": "https://bad.example/good.example"}, False),
        ({"url": "https://good.example@bad.example/"}, False),
        ({"url": "https://good.example.bad.example/"}, False),
        ({"url": "file:///data/aa/x"}, True),
        ({"url": "file:///etc/passwd"}, False),
        ({"note": "see ftp://bad.example"}, False),
        ({"host": "good.example"}, True),
        ({"host": "bad.example"}, False),
        ({"n": 1, "text": "no resource"}, True),
        # What a tool might read otherwise than it is read here.
        ({"path": "/data/abc\\def"}, False),
        ({"path": "/data/aa:/etc/passwd"}, False),
        ({"path": "good.example"}, False),
        ({"target": "../../etc/passwd"}, False),
        ({"x": "a/../../etc/passwd"}, False),
        ({"x": " /etc/passwd"}, False),
        ({"x": "~/.ssh/id"}, False),
        ({"x": "file:/etc/passwd"}, False),
        ({"x": "http:\\\\bad.example"}, False),
        ({"url": "http://good.example/ http://bad.example/"}, False),
        ({"url": "file://good.example/etc/passwd"}, False),
        ({"url": "file://localhost/data/aa/x"}, True),
        ({"url": "file://localhost/etc/passwd"}, False),
        ({"host": 2130706433}, False),
        ({"host": {"name": "bad.example"}}, False),
        ({"base_url": "bad.example"}, False),
        ({"src_path": "bad"}, False),
        ({}, True),
    ],
    ids=str,
)
def test_case_54_resources(tx: Connection, args: dict[str, Any], allowed: bool) -> None:
    scene = Scene(tx, GRANT)
    token = scene.issue(resource_roots=["/data/aa", "good.example"])["secret"]
    answer = scene.propose(tool_call("A", args), capability_token=token)
    assert told(answer) == (ALLOWED if allowed else (*BLOCKED, "RESOURCE_OUT_OF_SCOPE"))


def test_artifacts_are_held_to_the_roots_too(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    token = scene.issue(resource_roots=["/data"])["secret"]
    answer = scene.propose(
        tool_call("A", artifacts={"draft": {"path": "/etc/passwd"}}), capability_token=token
    )
    assert told(answer) == (*BLOCKED, "RESOURCE_OUT_OF_SCOPE")


def test_case_55_four_hundred_debits_of_a_hundred_units(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        scene = Scene(connection, GRANT)
        token = scene.issue(budgets={"max_calls": 100})
        head = scene.head()

    def debit(worker: int) -> list[tuple[str, str, str]]:
        with psycopg.connect(database, autocommit=True) as own:
            return [
                told(
                    call(
                        own,
                        "propose",
                        session_id=scene.id,
                        proposal=Json(
                            {
                                "state_snapshot_id": head,
                                "provenance": {"source": "agent://x"},
                                "capability_token": token["secret"],
                                "idempotency_key": f"{worker} {number}",
                                "items": [tool_call()],
                            }
                        ),
                        minimal=True,
                        credential=scene.agent,
                    )
                )
                for number in range(25)
            ]

    with ThreadPoolExecutor(16) as workers:
        outcomes = [outcome for part in workers.map(debit, range(16)) for outcome in part]
    assert len(outcomes) == 400
    assert outcomes.count(ALLOWED) == 100
    assert outcomes.count((*BLOCKED, "BUDGET_EXHAUSTED")) == 300
    with psycopg.connect(database, autocommit=True) as connection:
        scene.connection = connection
        assert left(scene, token) == 0
        (spent,) = (
            connection.execute("select max(spent) from cmbs_store.capability_spending").fetchone()
            or ()
        )
        assert spent == 100
        assert scene.is_whole()


def test_case_56_past_a_soft_limit_a_narrower_token_is_offered(tx: Connection) -> None:
    scene = Scene(tx, GRANT | {"policy.budgets": {"v": 1, "soft": {"max_calls": 50}}})
    token = scene.issue(budgets={"max_calls": 4})
    for _ in range(2):
        assert told(scene.propose(tool_call(), capability_token=token["secret"])) == ALLOWED
    answer = scene.propose(tool_call(), capability_token=token["secret"])
    assert told(answer) == ("deny", "degrade", "BUDGET_EXHAUSTED")
    assert left(scene, token) == 2
    (item,) = answer["items"]
    grant = dict(item["offer"]["grant"])
    offered = scene("narrow_capability", parent_id=grant["parent"], grant=Json(grant), minimal=True)
    assert told(scene.propose(tool_call(), capability_token=offered["secret"])) == ALLOWED
    assert left(scene, token) == 1
    assert scene.is_whole()


def test_an_offer_can_be_taken(tx: Connection) -> None:
    """Whatever the token is bound to; the percentage may come as a float."""
    scene = Scene(tx, GRANT | {"policy.budgets": {"v": 1, "soft": {"max_calls": 0.0}}})
    for more in (
        {"resource_roots": ["/data"]},
        {"tools": [], "capabilities": ["a"]},
        {"capabilities": ["a", "b"]},
    ):
        token = scene.issue(**more)["secret"]
        answer = scene.propose(tool_call("A"), capability_token=token)
        assert told(answer) == ("deny", "degrade", "BUDGET_EXHAUSTED")
        grant = answer["items"][0]["offer"]["grant"]
        offered = scene(
            "narrow_capability", parent_id=grant["parent"], grant=Json(grant), minimal=True
        )
        assert told(scene.propose(tool_call("A"), capability_token=offered["secret"])) == ALLOWED


def test_case_57_a_star_is_no_tool(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    token = scene.issue(tools=["*"], state_prefixes=["*"], capabilities=["*"])["secret"]
    assert told(scene.propose(tool_call(), capability_token=token))[2] == "SCOPE_NOT_ALLOWED"
    answer = scene.propose(delta({"goal.x": value(1)}), capability_token=token)
    assert told(answer)[2] == "SCOPE_NOT_ALLOWED"


def test_scopes(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    token = scene.issue(
        tools=["B"], capabilities=["a", "state.write.goal"], state_prefixes=["fact.x."]
    )["secret"]
    # All authorities of A are capabilities of the token.
    for item in (tool_call("A"), tool_call("B"), delta({"goal.any": value(1)})):
        assert told(scene.propose(item, capability_token=token)) == ALLOWED
    answer = scene.propose(tool_call("R"), capability_token=token)
    assert told(answer) == (*BLOCKED, "SCOPE_NOT_ALLOWED")
    core = {"kind": "state_delta", "s_core": [1.0]}
    assert told(scene.propose(core, capability_token=token))[2] == "SCOPE_NOT_ALLOWED"
    prefixed = scene.issue("tool", state_prefixes=["fact.x"], tools=[])["secret"]
    for key, allowed in (("fact.x.y", True), ("fact.xy", False), ("fact.x", True)):
        answer = scene.write({key: value(1)}, who=scene.tool, capability_token=prefixed)
        assert (answer["reason_code"] == "SCOPE_NOT_ALLOWED") is not allowed, answer


def test_tools_that_are_not_there(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    assert told(scene.propose(tool_call("nowhere"))) == (*BLOCKED, "TOOL_UNKNOWN")
    call(tx, "withdraw_tool", tool_id="A", credential=scene.policy)
    assert told(scene.propose(tool_call("A"))) == (*BLOCKED, "TOOL_WITHDRAWN")
    scene.register("A", version=3)
    assert told(scene.propose(tool_call("A"))) == ALLOWED


def test_case_60_the_same_key_twice(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        scene = Scene(connection, GRANT)
        head = scene.head()
        token = scene.tokens[scene.agent]
    proposal = {
        "state_snapshot_id": head,
        "provenance": {"source": "agent://x"},
        "capability_token": token["secret"],
        "idempotency_key": "once",
        "items": [tool_call()],
    }

    def send(_: int) -> Any:
        with psycopg.connect(database, autocommit=True) as own:
            return call(
                own,
                "propose",
                session_id=scene.id,
                proposal=Json(proposal),
                minimal=True,
                credential=scene.agent,
            )

    with ThreadPoolExecutor(8) as workers:
        answers = list(workers.map(send, range(8)))
    assert sorted(answer["duplicate"] for answer in answers) == [False] + [True] * 7
    assert len({answer["proposal_id"] for answer in answers}) == 1
    assert {told(answer) for answer in answers} == {ALLOWED}
    with psycopg.connect(database, autocommit=True) as connection:
        scene.connection = connection
        assert left(scene, token) == 999


def test_case_61_the_same_key_for_something_else(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    first = scene.propose(tool_call("A"), idempotency_key="k")
    other = scene.propose(tool_call("B"), idempotency_key="k")
    assert told(other) == (*BLOCKED, "IDEMPOTENCY_MISMATCH")
    assert codes(other) == ["IDEMPOTENCY_MISMATCH"], "nothing else is looked at"
    assert scene.last_event()["payload"]["reason_code"] == "IDEMPOTENCY_MISMATCH"
    again = scene.propose(tool_call("A"), idempotency_key="k")
    assert again["duplicate"]
    assert again["proposal_id"] == first["proposal_id"]
    # The key is the proposer's own.
    assert not scene.write({"fact.x": value(1)}, who=scene.tool, idempotency_key="k")["duplicate"]
    assert scene.is_whole()


def test_case_62_a_tool_that_writes_needs_a_key(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    answer = scene.propose(tool_call("A"), idempotency_key=None)
    assert told(answer) == (*BLOCKED, "IDEMPOTENCY_REQUIRED")
    assert told(scene.propose(tool_call("R"), idempotency_key=None)) == ALLOWED


def test_a_secret_is_shown_once(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    grant = Json({"holder": "agent", "tools": ["A"], "expires_at": ALWAYS})
    first = scene("issue_capability", scene.policy, grant=grant, request_id="r")
    again = scene("issue_capability", scene.policy, grant=grant, request_id="r")
    assert first["secret"].startswith("cmbs_cap_")
    assert (again["secret"], again["duplicate"]) == (None, True)
    assert again["token_id"] == first["token_id"]
    assert first["secret"] not in str(scene.session("audit_trace", credential=scene.agent))
    for table in ("capability_token", "audit_event", "proposal"):
        found = tx.execute(
            f"select count(*) from cmbs_store.{table} as t where t::text like "
            f"'%{first['secret'][9:]}%'".encode()
        )
        assert found.fetchone() == (0,)


@pytest.mark.parametrize(
    "grant",
    [
        {},
        {"holder": "x"},
        {"holder": "x", "expires_at": "2001-01-01T00:00:00Z"},
        {"holder": "x", "expires_at": "tomorrow"},
        {"holder": "x", "expires_at": ALWAYS, "valid_from": "2100-01-02T00:00:00Z"},
        {"holder": "x", "expires_at": ALWAYS, "budgets": {"max_calls": -1}},
        {"holder": "x", "expires_at": ALWAYS, "budgets": {"max_calls": 1.5}},
        {"holder": "x", "expires_at": ALWAYS, "budgets": {"max_calls": "1"}},
        {"holder": "x", "expires_at": ALWAYS, "tools": "A"},
        {"holder": "x", "expires_at": ALWAYS, "tools": [1]},
        {"holder": "x", "expires_at": ALWAYS, "resource_roots": ["/a/../b"]},
        {"holder": "x", "expires_at": ALWAYS, "resource_roots": ["Host"]},
        {"holder": "x", "expires_at": ALWAYS, "approval_requirement": "maybe"},
        {"holder": "x", "expires_at": ALWAYS, "more": 1},
    ],
    ids=str,
)
def test_grants_that_cannot_be(tx: Connection, grant: dict[str, Any]) -> None:
    scene = Scene(tx)
    sent = {"session_id": scene.id, "grant": Json(grant), "credential": scene.policy}
    refused(tx, errors.InvalidRequest, "issue_capability", **sent)


def test_a_token_that_takes_approval_asks(tx: Connection) -> None:
    scene = Scene(tx, GRANT)
    token = scene.issue(approval_requirement="required")["secret"]
    answer = scene.propose(tool_call(), capability_token=token)
    assert told(answer) == ("defer", "ask", "APPROVAL_REQUIRED")
    assert "interrupt_id" in answer["items"][0]
