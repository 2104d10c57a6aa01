"""The contract through a PL/Proxy front and two nodes, as docs/sharding.md sets them up."""

import json
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg import sql
from psycopg.types.json import Json

from cmbs import errors
from cmbs.database.calls import call
from cmbs.deploy import embedded
from tests.sql.log.test_vectors import CHAIN, request_of
from tests.sql.schema.test_privileges import WEBHOOK
from tests.sql.verdict.scene import rich_arbitration
from tests.support.beliefs import NO_EVENT, NOBODY, ONTOLOGY, Connection, rich_session
from tests.support.callers import caller
from tests.support.fleet import (
    NODES,
    Fleet,
    Refusal,
    blocks,
    declare,
    eliminate,
    fleet,
    outcome,
    rows,
)
from tests.tee import scene as tee

# What asks one node at a time.
NOT_ON_THE_FRONT = {"list_sessions", "verify_all", "audit_identities", "verify_identities"}
NOT_ON_THE_FRONT |= {"add_analyst", "remove_analyst", "list_analysts"}
NOT_ON_THE_FRONT |= {"list_inbox", "list_due", "take_webhooks", "take_mirror"}
NOT_ON_THE_FRONT |= {"read_mirror", "read_metrics"}
SESSION_TABLES = [
    "session",
    "tombstone",
    "audit_event",
    "obligation",
    "obligation_end",
    "conclusion",
]
# What a session holds beside its belief.
ARBITRATION_TABLES = [
    *("policy_pin", "proposal", "state_delta", "state_value", "claim", "claim_confirmation"),
    *("capability_token", "capability_revocation", "capability_spending", "interrupt"),
    *("permit", "permit_begin", "permit_end", "interrupt_resolution", "interrupt_use"),
    *("deferral", "session_mode", "shadow_pin", "open_item", "webhook_message"),
]
REFERENCE_TABLES = [
    *("policy", "policy_entry", "policy_version", "policy_halt", "schema_document"),
    *("json_schema", "tool_definition", "tool_registration"),
]
PUBLISHED_TABLES = ["policy", "policy_entry", "policy_version", "tool_definition"]
GRAPH_TABLES = [
    *("graph_head", "graph_merge", "graph_node", "graph_node_confirmation"),
    *("graph_node_provenance", "graph_edge", "graph_edge_provenance", "tee_mirror"),
]
IDS = [UUID(int=number) for number in range(1, 33)]


@pytest.fixture(scope="module")
def ours(full_server: embedded.Server) -> Iterator[Fleet]:
    with psycopg.connect(full_server.conninfo()) as connection:
        if not rows(connection, "select 1 from pg_available_extensions where name = 'plproxy'"):
            pytest.skip("no PL/Proxy: install the package postgresql-15-plproxy")
    with fleet(full_server) as made:
        yield made


def test_the_front_has_the_verbs_as_they_are(ours: Fleet) -> None:
    verbs = (
        "select proname, pg_get_function_arguments(oid), pg_get_function_result(oid) "
        "from pg_proc where pronamespace = 'cmbs'::regnamespace"
    )
    expected = {verb for verb in rows(ours.nodes[0], verbs) if verb[0] not in NOT_ON_THE_FRONT}
    assert set(rows(ours.front, verbs)) == expected
    assert len(expected) > 60


def test_no_node_becomes_a_front(ours: Fleet) -> None:
    ((verbs,),) = rows(ours.nodes[0], blocks()[1])
    before = rows(ours.nodes[0], "select count(*) from pg_proc")
    with pytest.raises(psycopg.errors.AssertFailure), ours.connect(NODES[0]) as node:
        node.execute(verbs.encode())
    assert rows(ours.nodes[0], "select count(*) from pg_proc") == before


def test_placement(ours: Fleet) -> None:
    for session_id in IDS:
        declare(ours.front, session_id)
        eliminate(ours.front, session_id, "first", "a")
        call(
            ours.front,
            "enter_obligation",
            session_id=session_id,
            obligation_id="o",
            min_total_eliminations=0,
        )
        call(ours.front, "request_exit", session_id=session_id, obligation_id="o")
        call(ours.front, "declare_conclusion", session_id=session_id, conclusion_id="c")
    owners = {session_id: ours.node_of(session_id) for session_id in IDS}
    assert {owner.info.dbname for owner in owners.values()} == {
        node.info.dbname for node in ours.nodes
    }
    for table in SESSION_TABLES:
        for node in ours.nodes:
            found = rows(
                node,
                f"select distinct session_id from cmbs_store.{table} where session_id = any(%s)",
                IDS,
            )
            assert {row[0] for row in found} == {i for i in IDS if owners[i] is node}, table


def test_contexts(ours: Fleet) -> None:
    """By their ids, which are any text, wherever a session of that name lives."""
    ids = ["", " ", "'", "\u00e4", *(f"context {number}" for number in range(28))]
    for context_id in ids:
        mine = {"context_id": context_id}
        provenance = {"source_id": "s", "trigger": "t"}
        created = ours.both("create_context", **mine, hypotheses=["a", "b", ""])
        assert created["duplicate"] is False
        assert ours.both("create_context", **mine, hypotheses=["b", "a", ""])["duplicate"] is True
        assert ours.both("create_context", **mine, hypotheses=[]).state == "MB102"
        found = ours.both("eliminate_in_context", **mine, eliminated=["", "z"], **provenance)
        assert found == {"applied": [""], "already_eliminated": ["z"]}
        assert ours.both("read_context_survivors", **mine) == {"survivors": ["a", "b"]}
        assert ours.both("read_context_eliminated", **mine) == {"eliminated": [""]}
        assert ours.both("recover_context", **mine)["hypotheses"] == ["", "a", "b"]
    assert ours.both("recover_context", context_id="nobody").state == "MB001"
    assert ours.both("recover_context", context_id=None).state == "MB201"
    homes: dict[str, list[int]] = {context_id: [] for context_id in ids}
    for table in "context", "context_event", "context_tombstone":
        for no, node in enumerate(ours.nodes):
            for (context_id,) in rows(node, f"select context_id from cmbs_store.{table}"):
                homes[context_id].append(no)
    assert sorted({tuple(home) for home in homes.values()}) == [(0, 0, 0), (1, 1, 1)]


def test_identities(ours: Fleet) -> None:
    """Made on every node, with one id each, because whoever makes a token says its digest."""
    credential = bytes(range(32))
    shown = {"name": "ann", "digest": credential, "prefix": "cmbs_test"}
    sent = {"name": "ann", "kind": "agent", "roles": ["agent"], "source_prefixes": [""]}
    ours.set_clock(CHAIN["events"][0]["ts"])
    assert ours.both("create_principal", **sent)["duplicate"] is False
    assert ours.both("create_principal", **sent)["duplicate"] is True
    made = ours.both("create_token", **shown)
    assert ours.both("create_token", **shown).state == "MB102"
    assert ours.both("list_tokens")["tokens"] == [made]
    assert ours.both("read_token", token_id=made["token_id"]) == made
    assert ours.both("read_principal", name="ann")["roles"] == ["agent"]
    assert ours.both("list_principals")["next_after"] is None
    assert ours.both("tenant", credential=credential) == "default"
    for number in range(900, 908):
        found = ours.both(
            "declare_session",
            session_id=UUID(int=number),
            ontology=Json(ONTOLOGY),
            hypotheses=["a"],
            credential=credential,
        )
        assert found["duplicate"] is False
    new = {"digest": credential[::-1], "prefix": "cmbs_new"}
    rotated = ours.both("rotate_token", token_id=made["token_id"], **new)
    for number in range(900, 908):
        refused = {"session_id": UUID(int=number), "credential": credential}
        assert ours.both("query_belief", **refused).state == "MB301"
        assert ours.both("query_belief", **refused | {"credential": credential[::-1]})
    assert ours.both("revoke_token", token_id=rotated["token_id"])["duplicate"] is False
    assert ours.both("revoke_token", token_id=rotated["token_id"])["duplicate"] is True
    for node in ours.nodes:
        found = call(node, "verify_identities")
        told = {one["tenant"]: one["rows_checked"] for one in found["tenants"]}
        assert (found["ok"], told["default"]) == (True, 5)


def test_a_large_session_lives_on_one_node(ours: Fleet) -> None:
    session_id = UUID(int=100)
    ids = [f"h{number}" for number in range(8193)]
    for connection in ours.front, ours.alone:
        declare(connection, session_id, hypotheses=ids, minimal=True)
    found = ours.both(
        "eliminate",
        session_id=session_id,
        source_id="s",
        observation_id="o",
        eliminated=ids[::3],
        minimal=True,
    )
    assert found["snapshot"]["n_survivors"] == 8193 - 2731
    holders = [
        node
        for node in ours.nodes
        if rows(node, "select 1 from cmbs_store.session_mask where session_id = %s", session_id)
    ]
    assert holders == [ours.node_of(session_id)]
    assert ours.both("verify", session_id=session_id)["ok"] is True


def test_the_golden_chain(ours: Fleet) -> None:
    """The callers' logins reach the node: the hashes contain the actors."""
    roles = {"agent://demo": "cmbs_agent", "policy://on-call": "cmbs_policy"}
    actors = {}
    try:
        for role, granted in roles.items():
            statement = sql.SQL("create role {} login in role {}")
            ours.admin.execute(statement.format(sql.Identifier(role), sql.Identifier(granted)))
            actors[role] = ours.connect(user=role)
        for event in CHAIN["events"]:
            ours.set_clock(event["ts"])
            answer = call(actors[event["actor"]], event["verb"].lower(), **request_of(event))
            assert answer["snapshot"]["audit_head_hash"] == event["event_hash"]
        session_id = UUID(CHAIN["events"][0]["session_id"])
        found = call(ours.front, "verify", session_id=session_id)
        assert found == {
            "ok": True,
            "rows_checked": len(CHAIN["events"]),
            "head_hash": CHAIN["events"][-1]["event_hash"],
            "first_bad": None,
        }
        refused = outcome(
            actors["agent://demo"],
            "waive_obligation",
            session_id=session_id,
            obligation_id="o",
            reason="r",
        )
        assert refused.state == "42501"
    finally:
        for connection in actors.values():
            connection.close()
        for role in roles:
            ours.admin.execute(sql.SQL("drop role if exists {}").format(sql.Identifier(role)))


@pytest.mark.parametrize("is_first_call", [True, False])
def test_another_role_than_the_login(ours: Fleet, is_first_call: bool) -> None:
    """PL/Proxy connects as the current user, so another than the login must not get through."""
    session_id = UUID(int=101)
    ours.admin.execute("create role fleet_other login in role cmbs_agent")
    try:
        with ours.connect() as connection:
            if not is_first_call:
                call(connection, "revision")
            connection.execute("set role fleet_other")
            for verb, arguments in (
                ("declare_session", {"session_id": session_id, "ontology": Json(ONTOLOGY)}),
                ("register_universe", {"hypotheses": ["never"]}),
                ("revision", {}),
            ):
                with pytest.raises(psycopg.errors.InsufficientPrivilege) as caught:
                    call(connection, verb, **arguments)
                assert json.loads(caught.value.diag.message_detail or "") == {
                    "login_role": ours.front.info.user
                }
            connection.execute("reset role")
            assert call(connection, "revision")
    finally:
        ours.admin.execute("drop role fleet_other")


@pytest.mark.parametrize("session_id", [UUID(int=200), UUID(int=201)])
def test_a_whole_session(ours: Fleet, session_id: UUID, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.support.beliefs.uuid4", lambda: session_id)
    _, expected = rich_session(ours.alone)
    _, answers = rich_session(ours.front)
    assert answers == expected
    check_reads(ours, session_id)
    for connection in ours.front, ours.alone:
        with pytest.raises(errors.Conflict):
            declare(connection, session_id)


def check_reads(ours: Fleet, session_id: UUID) -> None:
    events = ours.both("audit_trace", session_id=session_id)["events"]
    assert len(events) > 20
    for event in events:
        ours.both("audit_event", session_id=session_id, event_id=event["event_id"])
        ours.both("query_belief", session_id=session_id, as_of=event["event_id"])
        ours.both("audit_trace", session_id=session_id, since_event_id=event["event_id"], limit=2)
    for hypothesis_id in events[0]["payload"]["hypotheses"]:
        ours.both("why", session_id=session_id, hypothesis_id=hypothesis_id)
        ours.both("explain", session_id=session_id, hypothesis_id=hypothesis_id)
    first, last = (event["event_id"] for event in (events[0], events[-1]))
    ours.both("diff", session_id=session_id, from_event_id=last, to_event_id=first)
    assert ours.both("whatif", session_id=session_id, without_source="other")["n_flips"] == 9
    at = events[3]["ts"]
    assert ours.both("query_belief", session_id=session_id, as_of_time=at)["audit_seq"] >= 4
    assert ours.both("verify", session_id=session_id)["rows_checked"] == len(events)
    assert len(ours.both("list_obligations", session_id=session_id)["obligations"]) == 3
    assert len(ours.both("list_conclusions", session_id=session_id)["conclusions"]) == 4
    assert ours.both("revision")
    for query in (
        "select cmbs.audit_lines(%s)",
        "select cmbs.query_belief(%s)::text",
        "select cmbs.audit_trace(%s)::text",
    ):
        assert rows(ours.front, query, session_id) == rows(ours.alone, query, session_id)


@pytest.mark.parametrize("session_id", [UUID(int=210), UUID(int=211)])
def test_a_whole_arbitration(
    ours: Fleet, session_id: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.support.beliefs.uuid4", lambda: session_id)

    def named(connection: Connection, name: str, *roles: str, **more: Any) -> bytes:
        return caller(connection, f"approver of {session_id}", *roles, **more)

    # Who approves has one name on the front and beside it, and another in each session.
    monkeypatch.setattr("tests.sql.verdict.scene.caller", named)
    ours.set_clock("2090-01-01T00:00:00.000000Z")
    assert ours.both("set_webhook", **WEBHOOK)["url"] == WEBHOOK["url"]
    with ours.counted_ids():
        for connection in ours.alone, ours.front:
            rich_arbitration(connection)
    mine = {"session_id": session_id}
    events = ours.both("audit_trace", **mine)["events"]
    assert ours.both("verify", **mine)["rows_checked"] == len(events) == 30
    for event in events:
        seen = ours.both("read_state", **mine, as_of=event["event_id"], include_policy=True)
        assert seen["policy"]
        found = ours.both("explain_decision", **mine, proposal_id=event["event_id"])
        assert isinstance(found, Refusal) is (event["verb"] != "PROPOSE")
    proposals = ours.both("list_proposals", **mine)["proposals"]
    assert [found["decision"] for found in proposals] == [
        *("allow", "allow", "defer", "defer", "defer"),
        *("allow", "defer", "deny", "deny", "allow", "allow"),
    ]
    assert len(ours.both("list_capabilities", **mine)["capability_tokens"]) == 2
    assert len(ours.both("list_claims", **mine, history=True)["claims"]) == 2
    assert ours.both("list_permitted", **mine)["tools"]
    assert ours.both("replay_policy", **mine, pack="supervised")["n_proposals"] == 11
    tried = {
        "state_snapshot_id": events[-1]["event_id"],
        "provenance": {"source": "s"},
        "items": [{"kind": "tool_call", "tool_id": "rich.tool"}],
        "mode": "dry_run",
    }
    assert ours.both("propose", **mine, proposal=Json(tried))["decision"] == "deny"
    permits = ours.both("list_permits", **mine)["permits"]
    assert [found["status"] for found in permits] == ["issued", "rolled_back", "committed"]
    for found in permits:
        assert ours.both("read_permit", **mine, permit_id=found["permit_id"]) == found
    questions = ours.both("list_interrupts", **mine)["interrupts"]
    assert [found["status"] for found in questions] == ["superseded", "declined", "consumed"]
    for found in questions:
        assert ours.both("read_interrupt", **mine, interrupt_id=found["interrupt_id"]) == found
    assert len(ours.both("list_deferrals", **mine)["deferrals"]) == 1
    assert ours.both("sweep_expired", **mine)["n_released"] == 0
    node = ours.node_of(session_id)
    has_its_own(ours, node, session_id)
    for table in ARBITRATION_TABLES:
        for other in ours.nodes:
            query = f"select 1 from cmbs_store.{table} where session_id = %s"
            assert bool(rows(other, query, session_id)) is (other is node), (table, other)
    assert_alike(ours, ["webhook"])


def has_its_own(ours: Fleet, node: Connection, session_id: UUID) -> None:
    """Questions, deadlines and messages are found on the node of their session, and on no other."""
    for other in ours.nodes:
        inbox = call(other, "list_inbox", status="superseded")["interrupts"]
        assert (str(session_id) in {found["session_id"] for found in inbox}) is (other is node)
        due = call(other, "list_due")["sessions"]
        assert (str(session_id) in due) is False
    (message, *_) = call(node, "take_webhooks", limit=1)["messages"]
    told = {"session_id": message["session_id"], "message_id": message["message_id"]}
    assert call(ours.front, "settle_webhook", **told)["state"] == "delivered"


def test_arbitration_is_everywhere(ours: Fleet) -> None:
    """What sessions are decided by is the same on every node."""
    ours.set_clock("2090-01-01T00:00:00.000000Z")
    schema, tool = {"schema_id": "here"}, {"tool_id": "here"}
    definition = Json({"args_schema": "here"})
    assert ours.both("register_tool", **tool, definition=definition).state == "MB009"
    for is_known in False, True:
        found = ours.both("register_schema", **schema, document=Json({"type": "object"}))
        assert found["duplicate"] is is_known
        found = ours.both("register_tool", **tool, definition=definition)
        assert found["duplicate"] is is_known
    for version in 1, 2:
        entries = Json({"policy.pack": {"v": 1, "value": f"version {version}"}})
        for is_known in False, True:
            found = ours.both("publish_policy", pack="here", entries=entries)
            assert (found["version"], found["duplicate"]) == (version, is_known)
    assert ours.both("import_content", kind="tool", content='{"version": 9}')["content_hash"]
    assert ours.both("register_schema", **schema, document="true").state == "MB102"
    assert ours.both("halt_policy", is_halted=True, reason="a drill")["halted"] == "a drill"
    assert len(ours.both("list_policy_versions", pack="here")["policies"]) == 2
    assert ours.both("halt_policy", is_halted=False, reason="over")["halted"] is None
    assert ours.both("read_policy", pack="here")["version"] == 2
    assert ours.both("diff_policy", pack="here", version=1, to_version=2)["changed"]
    assert ours.both("lint_published_policy", pack="here")["n_errors"] == 0
    assert ours.both("test_policy", pack="here")["n_failed"] == 0
    assert ours.both("read_schema", **schema)
    assert ours.both("list_schemas")["schemas"]
    assert ours.both("read_tool", **tool)["withdrawn"] is False
    assert ours.both("withdraw_tool", **tool)["duplicate"] is False
    assert ours.both("withdraw_tool", **tool)["duplicate"] is True
    assert ours.both("withdraw_tool", tool_id="never").state == "MB008"
    assert_alike(ours)
    for number in range(220, 228):
        expected = ours.both(
            "declare_session",
            session_id=UUID(int=number),
            ontology=Json(ONTOLOGY),
            hypotheses=["a"],
            arbitration=Json({"pack": "here", "version": 2}),
        )
        assert expected["duplicate"] is False
    assert len({ours.node_of(UUID(int=number)).info.dbname for number in range(220, 228)}) == 2


def assert_alike(ours: Fleet, tables: Iterable[str] = REFERENCE_TABLES) -> None:
    for table in tables:
        query = f"select t::text from cmbs_store.{table} as t order by 1"
        first, *others = (rows(node, query) for node in ours.nodes)
        assert first, table
        assert others == [first], table


def test_versions_are_numbered_alike(ours: Fleet) -> None:
    """Several publish one pack at once, and no node sees them in another order."""
    ours.set_clock("2090-01-01T00:00:00.000000Z")

    def publish(number: int) -> None:
        with ours.connect() as connection:
            for no in range(8):
                entries = {"policy.pack": {"v": 1, "value": f"{number} {no}"}}
                call(connection, "publish_policy", pack="raced", entries=Json(entries))
                definition = Json({"version": f"{number} {no}"})
                call(connection, "register_tool", tool_id="raced", definition=definition)

    with ThreadPoolExecutor(4) as workers:
        list(workers.map(publish, range(4)))
    assert_alike(ours, PUBLISHED_TABLES)
    assert len(call(ours.front, "list_policy_versions", pack="raced")["policies"]) == 32


def test_a_graph_is_everywhere(ours: Fleet) -> None:
    ours.set_clock("2090-01-01T00:00:00.000000Z")
    first = merged([tee.node("a", hypothetical=True), tee.node("b")], [tee.edge("a", "b")])
    assert ours.both("merge_hypothesis", **first)["created"] == ["a", "b", "edge:a|b|DEPENDS_ON"]
    assert ours.both("merge_hypothesis", **first)["created"] == []
    again = tee.edge("a", "b", by=tee.said("else"))
    # Of the two that speak of a, one says another type and the other that it is certain.
    said = [tee.node("a", kind, by=tee.said("else")) for kind in ("MECHANISM", "SERVICE")]
    more = merged([*said, tee.node("c")], [tee.edge("b", "c"), again])
    found = ours.both("merge_hypothesis", **more)
    assert (found["created"], len(found["conflicts"])) == (["c", "edge:b|c|DEPENDS_ON"], 1)
    assert ours.both("merge_hypothesis", **merged([{"id": "x"}], [])).state == "MB201"
    # One node has it already, as after a call that failed half way.
    half = merged([tee.node("d")], [])
    for database in (ours.alone, ours.nodes[1]):
        call(database, "merge_hypothesis", **half)
    assert call(ours.front, "merge_hypothesis", **half)["created"] == ["d"]
    assert ours.both("set_mirror", endpoint="tee.example.org:1")["endpoint"]
    try:
        assert_alike(ours, GRAPH_TABLES)
    finally:
        assert ours.both("set_mirror", endpoint=None) == {"endpoint": None}
    assert len(ours.both("read_main_graph")["nodes"]) == 4
    versions = "select version from cmbs_store.graph_head"
    assert [rows(node, versions) for node in [ours.alone, *ours.nodes]] == [[(3,)]] * 3


def merged(nodes: list[Any], edges: list[Any]) -> dict[str, Json]:
    return {"nodes": Json(nodes), "edges": Json(edges)}


def test_incidents(ours: Fleet) -> None:
    """By their ids, which are any text; a session that is declared from one lives where it does."""
    ours.set_clock("2090-01-01T00:00:00.000000Z")
    ours.both("merge_hypothesis", **merged([tee.node("a"), tee.node("b")], [tee.edge("a", "b")]))
    ids = ["'", "\u00e4", *(f"incident {number}" for number in range(14))]
    ruled = {"source_id": "s", "trigger": "t"}
    for incident_id in ids:
        mine = {"incident_id": incident_id}
        for is_new in True, False:
            found = ours.both("create_incident", **mine, node_ids=["a", "b"])
            assert found["created"] is is_new
        assert ours.both("create_incident", **mine, node_ids=["a"]).state == "MB102"
        found = ours.both("merge_node_tombstones", **mine, node_ids=["a", "z"], **ruled)
        assert (found["applied"], found["unmatched"]) == (["a"], ["z"])
        listed = Json([{"source": "a", "target": "b", "type": "DEPENDS_ON"}])
        found = ours.both("merge_edge_tombstones", **mine, edges=listed, **ruled)
        assert found["applied"] == ["edge:a|b|DEPENDS_ON"]
        assert ours.both("read_tombstones", **mine)["node_ids"] == ["a", "z"]
        assert ours.both("read_incident", **mine)["universe"] == ["a", "b"]
        assert [one["id"] for one in ours.both("read_live_view", **mine)["nodes"]] == ["b"]
    assert ours.both("read_incident", incident_id="nobody").state == "MB013"
    assert ours.both("read_live_view", incident_id=None).state == "MB201"
    homes: dict[str, list[int]] = {incident_id: [] for incident_id in ids}
    for table in "incident", "node_tombstone", "edge_tombstone":
        for no, holder in enumerate(ours.nodes):
            query = f"select distinct incident_id from cmbs_store.{table}"
            for (incident_id,) in rows(holder, query):
                homes[incident_id].append(no)
    assert sorted({tuple(home) for home in homes.values()}) == [(0, 0, 0), (1, 1, 1)]
    ids_by_home = {home[0]: incident_id for incident_id, home in homes.items()}
    for number in range(1000, 1008):
        session_id = UUID(int=number)
        home = ours.nodes.index(ours.node_of(session_id))
        for place, incident_id in ids_by_home.items():
            sent = {"ontology": Json(ONTOLOGY), "session_id": session_id}
            sent |= {"universe_from": Json({"tee_incident": incident_id})}
            if place != home:
                assert outcome(ours.front, "declare_session", **sent).state == "MB013"
            else:
                declared = ours.both("declare_session", **sent)
                assert declared["snapshot"]["survivors"] == ["b"]
    assert {ours.nodes.index(ours.node_of(UUID(int=n))) for n in range(1000, 1008)} == {0, 1}


def test_the_mirror_of_each_node(ours: Fleet) -> None:
    """What is to be told lies beside the session, and is settled through the front."""
    ours.set_clock("2090-01-01T00:00:00.000000Z")
    ids = [UUID(int=number) for number in range(1100, 1108)]
    ours.both("set_mirror", endpoint="tee.example.org:1")
    try:
        for session_id in ids:
            for connection in ours.front, ours.alone:
                declare(connection, session_id)
    finally:
        ours.both("set_mirror", endpoint=None)
    for holder in ours.nodes:
        mine = [one for one in ids if ours.node_of(one) is holder]
        found = rows(holder, "select session_id from cmbs_store.tee_message")
        assert mine
        assert {one for (one,) in found} == set(mine)
    told = {"session_id": ids[0], "seq": 0, "error": "no", "is_refused": True}
    assert ours.both("settle_mirror", **told)["state"] == "dead"
    assert ours.both("retry_mirror", session_id=ids[0]) == {"n_sessions": 1, "n_messages": 1}
    assert ours.both("retry_mirror", session_id=NOBODY).state == "MB001"


def refusals(session_id: UUID, head: str) -> list[tuple[str, str, dict[str, object]]]:
    """Every error of the protocol that a session which has ended can still get, and others."""
    mine = {"session_id": session_id}
    unknown = {**ONTOLOGY, "hypothesis_version": "never registered"}
    message = {**mine, "source_id": "s", "observation_id": "new", "eliminated": ["a"]}
    return [
        ("MB001", "query_belief", {"session_id": NOBODY}),
        ("MB001", "eliminate", {**message, "session_id": NOBODY}),
        ("MB002", "request_exit", {**mine, "obligation_id": "\u00e4"}),
        ("MB003", "audit_event", {**mine, "event_id": NO_EVENT}),
        ("MB003", "query_belief", {**mine, "as_of_time": "-infinity"}),
        ("MB003", "whatif", {**mine, "without_source": "nobody"}),
        ("MB004", "read_space", {"hypothesis_space_id": "no", "hypothesis_version": "0"}),
        ("MB004", "declare_session", {"session_id": NOBODY, "ontology": Json(unknown)}),
        ("MB006", "revoke_capability", {**mine, "token_id": NO_EVENT}),
        ("MB007", "apply_policy", {**mine, "pack": "never", "version": 1}),
        ("MB007", "read_policy", {"pack": "never"}),
        ("MB008", "withdraw_tool", {"tool_id": "never"}),
        ("MB009", "read_schema", {"schema_id": "never"}),
        ("MB010", "promote_claim", {**mine, "claim_id": NO_EVENT}),
        ("MB011", "begin_execution", {**mine, "permit_id": NO_EVENT}),
        ("MB012", "read_interrupt", {**mine, "interrupt_id": NO_EVENT}),
        ("MB013", "read_incident", {"incident_id": "never"}),
        ("MB201", "set_mirror", {"endpoint": "nowhere"}),
        ("MB201", "set_webhook", {"url": "ftp://example.org"}),
        ("MB201", "propose", {**mine, "proposal": "{}"}),
        ("MB201", "publish_policy", {"pack": "p", "entries": '{"x": {}}'}),
        ("MB102", "declare_session", {**mine, "ontology": Json(ONTOLOGY), "hypotheses": ["z"]}),
        ("MB103", "eliminate", {**message, "expected_head": NO_EVENT}),
        ("MB201", "verify", {"session_id": None}),
        ("MB201", "eliminate", {**message, "session_id": None}),
        ("MB201", "eliminate", {**message, "justification": '{"k": 1, "k": 2}'}),
        ("MB201", "eliminate_batch", {**mine, "messages": "[7]", "expected_head": head}),
        ("MB202", "why", {**mine, "hypothesis_id": 'no "such" id\n'}),
        ("MB203", "eliminate", {**message, "notes": "n" * 5000}),
        ("MB301", "verify", {**mine, "credential": b"\0" * 32}),
        ("22P02", "eliminate", {**message, "justification": '{"a": "\\u0000"'}),
        ("22P05", "eliminate", {**message, "justification": '{"a": "\\u0000"}'}),
    ]


def test_refusals(ours: Fleet) -> None:
    session_id = UUID(int=300)
    for connection in ours.front, ours.alone:
        head = declare(connection, session_id)["audit_event_id"]
    for state, verb, arguments in refusals(session_id, head):
        found = ours.both(verb, **arguments)
        assert isinstance(found, Refusal), f"{verb} {arguments}"
        assert found.state == state
        if state.startswith("MB"):
            assert isinstance(json.loads(found.detail or ""), dict)
            assert found.hint
    assert ours.both("query_belief", session_id=session_id)["audit_seq"] == 1
    for node in ours.nodes:
        assert not rows(node, "select 1 from cmbs.session where session_id = %s", NOBODY)


def test_the_library_reads_details(ours: Fleet) -> None:
    with pytest.raises(errors.SessionNotFound) as caught:
        call(ours.front, "query_belief", session_id=NOBODY)
    assert caught.value.details == {"session_id": str(NOBODY)}


def test_the_end_of_a_session(ours: Fleet) -> None:
    mine = {"session_id": UUID(int=301)}
    for connection in ours.front, ours.alone:
        declare(connection, mine["session_id"], hypotheses=["a"])
    assert ours.both("request_termination", **mine, request_id="r")["approved"]
    found = ours.both("declare_conclusion", **mine, conclusion_id="c")
    assert found.state == "MB101"
    assert ours.both("request_termination", **mine, request_id="r")["duplicate"] is True
    assert ours.both("declare_conclusion", **mine, conclusion_id="c", request_id="r").state == (
        "MB102"
    )


def test_repeats_at_once(ours: Fleet) -> None:
    """From several connections: one of them is new, wherever the session lives."""
    for session_id in UUID(int=400), UUID(int=401), UUID(int=402), UUID(int=403):
        connections = [ours.connect() for _ in range(4)]
        try:
            with ThreadPoolExecutor(len(connections)) as workers:
                declared = list(workers.map(lambda c, i=session_id: declare(c, i), connections))
                sent = list(
                    workers.map(lambda c, i=session_id: eliminate(c, i, "o", "a", "z"), connections)
                )
        finally:
            for connection in connections:
                connection.close()
        for answers in declared, sent:
            assert sorted(answer["duplicate"] for answer in answers) == [False, True, True, True]
            assert len({answer["audit_event_id"] for answer in answers}) == 1
        assert call(ours.front, "verify", session_id=session_id)["rows_checked"] == 2
    assert {ours.node_of(UUID(int=number)).info.dbname for number in range(400, 404)} == {
        node.info.dbname for node in ours.nodes
    }


def test_what_is_registered_is_everywhere(ours: Fleet) -> None:
    space = {"hypothesis_space_id": "space", "hypothesis_version": "1"}
    assert ours.both("register_space", **space, hypotheses=["b", "a"])["duplicate"] is False
    assert ours.both("register_space", **space, hypotheses=["a", "b"])["duplicate"] is True
    assert ours.both("register_space", **space, hypotheses=["a"]).state == "MB102"
    assert ours.both("read_space", **space)["hypotheses"] == ["a", "b"]
    assert ours.both("register_universe", hypotheses=["only", "here"])["n_hypotheses"] == 2
    for node in ours.nodes:
        assert call(node, "read_space", **space)["registered_by"] == ours.front.info.user
        assert rows(node, "select 1 from cmbs_store.universe_member where hypothesis_id = 'only'")
    used = set()
    for number in range(500, 508):
        answer = declare(ours.front, UUID(int=number), hypotheses=None)
        assert answer["snapshot"]["survivors"] == ["a", "b"]
        used.add(ours.node_of(UUID(int=number)).info.dbname)
    assert len(used) == 2

    for policy in '{"stability_window": 3}', '{"stability_window": 0}':
        expected = ours.both("set_policy_defaults", policy=policy)
        for number in range(510, 514):
            session_id = UUID(int=number + 10 * expected["stability_window"])
            found = declare(ours.front, session_id)["snapshot"]["policy"]
            assert found == expected


def test_a_node_that_is_away(ours: Fleet) -> None:
    away, here = UUID(int=600), UUID(int=600)
    while ours.node_of(away) is not ours.nodes[1]:
        away = UUID(int=away.int + 1)
    while ours.node_of(here) is not ours.nodes[0]:
        here = UUID(int=here.int + 1)
    with ours.connect() as client:
        for session_id in away, here:
            declare(client, session_id)
        with ours.away(1):
            # The first call may find that its connection was cut, the second that there is none.
            cut = outcome(client, "query_belief", session_id=away)
            assert cut in (Refusal("57P01"), Refusal("XX000"))
            assert outcome(client, "query_belief", session_id=away) == Refusal("XX000")
            with pytest.raises(psycopg.errors.InternalError_):
                eliminate(client, away, "o", "a")
            assert eliminate(client, here, "o", "a")["duplicate"] is False
            assert call(client, "verify", session_id=here)["ok"] is True
            space = {"hypothesis_space_id": "half", "hypothesis_version": "1"}
            with pytest.raises(psycopg.errors.InternalError_):
                call(client, "register_space", **space, hypotheses=["a"])
        assert eliminate(client, away, "o", "a")["duplicate"] is False
        assert eliminate(client, away, "o", "a")["duplicate"] is True
        assert eliminate(client, here, "o", "a")["duplicate"] is True
        assert call(client, "register_space", **space, hypotheses=["a"])["duplicate"] is False
        assert call(client, "register_space", **space, hypotheses=["a"])["duplicate"] is True
        for session_id in away, here:
            found = call(client, "verify", session_id=session_id)
            assert (found["ok"], found["rows_checked"]) == (True, 2)


def test_a_call_commits_on_its_node(ours: Fleet) -> None:
    session_id = UUID(int=700)
    declare(ours.front, session_id)
    with ours.connect() as client, client.transaction(force_rollback=True):
        assert eliminate(client, session_id, "o", "a")["duplicate"] is False
    assert eliminate(ours.front, session_id, "o", "a")["duplicate"] is True


def test_verify_can_say_no(ours: Fleet) -> None:
    session_id = UUID(int=800)
    for connection in ours.front, ours.alone:
        declare(connection, session_id)
        eliminate(connection, session_id, "o", "a")
    assert ours.both("verify", session_id=session_id)["ok"] is True
    for database in ours.alone, ours.node_of(session_id):
        with database.transaction():
            switch = "alter table cmbs_store.audit_event {} trigger audit_event_append_only"
            database.execute(switch.format("disable").encode())
            database.execute(
                "update cmbs_store.audit_event set record = replace(record, '\"a\"', '\"b\"') "
                "where session_id = %s and seq = 2",
                [session_id],
            )
            database.execute(switch.format("enable always").encode())
    found = ours.both("verify", session_id=session_id)
    assert found["ok"] is False
    assert found["first_bad"]["seq"] == 2
