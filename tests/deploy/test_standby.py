"""A read-only standby answers all that only reads, and refuses the rest in one way."""

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg.types.json import Json

from cmbs import errors
from cmbs.database.calls import call
from cmbs.deploy import backup, doctor, dumpfile, embedded
from cmbs.deploy.binaries import account_for
from cmbs.deploy.target import Target
from cmbs.kernel.canonical import parse
from tests.cli.test_analyst import ABOUT_IDENTITIES
from tests.sql.schema.test_privileges import WEBHOOK
from tests.sql.verdict.scene import ALWAYS, rich_arbitration, tool_call
from tests.support import analytics
from tests.support.analytics import Analyst
from tests.support.beliefs import (
    NOBODY,
    ONTOLOGY,
    Connection,
    Session,
    begin_context,
    message,
    rich_session,
)
from tests.support.callers import caller, token_id
from tests.support.databases import copy_of_a_module
from tests.support.servers import reachable_folder, until
from tests.tee.scene import ENDPOINT, Tee, edge, node, rich_tee, set_mirror

SPACE = {
    "hypothesis_space_id": ONTOLOGY["hypothesis_space_id"],
    "hypothesis_version": ONTOLOGY["hypothesis_version"],
}
CONTEXT = {"context_id": "context"}
KNOWN = {"name": "known", "kind": "agent"}
TOKEN = b"t" * 32
# Tools that read may be called, and claims are taken.
PACK = {"pack": "supervised", "version": 1}
TOOL, WRITER = "a tool", "a tool that writes"
ABOUT_ARBITRATION = {
    *("arbitration_content", "capability_budget", "constraint_hit", "decision", "decision_item"),
    *("denial", "recorded_claim", "state_change", "unmatched_constraint"),
    *("approval_latency", "deferral", "interrupt", "permit", "session_mode"),
    *("shadow_divergence", "webhook_message"),
}
ABOUT_GRAPHS = {
    *("graph_edge", "graph_growth", "graph_node", "incident", "incident_tombstone"),
    *("live_edge", "live_node", "most_tombstoned", "tee_message"),
}
INCIDENT = {"incident_id": "all"}
RULED = {"source_id": "s", "trigger": "t"}
# Volatile, because what they show runs out; they read all the same.
TELL_TIME = {
    *("list_due", "list_inbox", "list_interrupts", "list_permits"),
    *("read_interrupt", "read_permit"),
}
CLAIM = {"kind": "hypothesis", "key": "k", "value": 1, "ttl_ms": 1}


@pytest.fixture(scope="module")
def standby(server: SimpleNamespace) -> Iterator[embedded.Server]:
    """A hot standby of this run's server, fed by streaming replication."""
    primary: embedded.Server | None = server.own
    if primary is None:
        pytest.skip("no standby of the server that CMBS_TEST_DATABASE_URL names: it is not ours")
    if not (primary.bindir / "pg_basebackup").exists():
        pytest.skip(f"no pg_basebackup in {primary.bindir}")
    with reachable_folder() as folder:
        data_dir = folder / "standby"
        data_dir.mkdir()
        data_dir.chmod(0o755)
        cluster = data_dir / "postgres"
        cluster.mkdir(mode=0o700)
        account = account_for(primary.data_dir / "postgres")
        if account.is_other:
            os.chown(cluster, account.uid, account.gid)
        copied = account.run(
            *(primary.bindir / "pg_basebackup", "--write-recovery-conf", "--no-sync"),
            *("--checkpoint=fast", f"--pgdata={cluster}", f"--dbname={primary.conninfo()}"),
        )
        assert copied.returncode == 0, copied.stderr
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("CMBS_PG_BINDIR", str(primary.bindir))
            started = embedded.start(data_dir, durable=False)
        with started:
            yield started


@dataclass
class Pair:
    """One database on both servers, with a session that has ended, one that goes on, and one with
    every decision of arbitration.
    """

    primary: Connection
    standby: Connection
    ended: Session = field(init=False)
    open: Session = field(init=False)
    arbitrated: Session = field(init=False)
    capability: dict[str, Any] = field(init=False)
    claim: dict[str, Any] = field(init=False)
    approver: bytes = field(init=False)
    tee: Tee = field(init=False)
    # A call that is allowed, and one that somebody has to approve.
    allowed: dict[str, Any] = field(init=False)
    asked: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        self.ended, _ = rich_session(self.primary)
        ids = [f"h{number}" for number in range(8193)]
        self.open = Session(self.primary, ids, policy=Json({"allow_forced_termination": True}))
        self.open.eliminate("h1", "h8192", observation_id="recorded")
        self.open.enter("active", 1)
        call(self.primary, "set_webhook", **WEBHOOK)
        self.arbitrated = rich_arbitration(self.primary)
        call(self.primary, "register_tool", tool_id=TOOL, definition='{"mutating": false}')
        call(self.primary, "register_tool", tool_id=WRITER, definition="{}")
        self.open("apply_policy", **PACK)
        grant = {"holder": call(self.primary, "identify")["name"], "tools": [TOOL, WRITER]}
        grant |= {"budgets": {"max_calls": 9}, "expires_at": ALWAYS}
        self.capability = self.open("issue_capability", grant=Json(grant))
        self.claim = self.open("record_claim", claim=Json(CLAIM))
        self.approver = caller(self.primary, "somebody else", "approver")
        self.allowed = call(self.primary, "propose", **self.proposal("allowed"))
        asking = self.proposal("asked", items=[tool_call(WRITER)])
        self.asked = call(self.primary, "propose", **asking)
        call(self.primary, "register_space", **SPACE, hypotheses=["a", "b"])
        set_mirror(self.primary)
        self.tee = rich_tee(self.primary)
        begin_context(self.primary, "context", "a")
        call(self.primary, "create_principal", **KNOWN, roles=["agent"])
        token = {"name": "known", "digest": TOKEN, "prefix": "cmbs_shown"}
        call(self.primary, "create_token", **token)
        self.catch_up()

    def proposal(self, key: str, **more: object) -> dict[str, object]:
        """Of one call of a tool, in the session that goes on."""
        proposal = {
            "state_snapshot_id": self.open.snapshot()["audit_head_event_id"],
            "provenance": {"source": "s"},
            "capability_token": self.capability["secret"],
            "idempotency_key": key,
            "items": [tool_call(TOOL)],
            **more,
        }
        return {"session_id": self.open.id, "proposal": Json(proposal)}

    def catch_up(self) -> None:
        """Until the standby has replayed what was committed on the primary before."""
        with self.primary.transaction():
            # Else the commit could still be in the primary's memory.
            self.primary.execute("set local synchronous_commit = on")
            ((lsn,),) = rows(self.primary, "select pg_logical_emit_message(true, 'cmbs', '')::text")
        until(
            lambda: rows(self.standby, "select 1 where pg_last_wal_replay_lsn() >= %s::pg_lsn", lsn)
        )


@pytest.fixture(scope="module")
def pair(server: SimpleNamespace, template: Any, standby: embedded.Server) -> Iterator[Pair]:
    with copy_of_a_module(server, template, "replicated") as primary:
        name = primary.info.dbname
        until(lambda: rows_of(standby, "select 1 from pg_database where datname = %s", name))
        with psycopg.connect(standby.conninfo(name), autocommit=True) as replica:
            yield Pair(primary, replica)


def rows(connection: Connection, query: str, *arguments: object) -> list[Any]:
    return connection.execute(query.encode(), arguments).fetchall()


def rows_of(server: embedded.Server, query: str, *arguments: object) -> list[Any]:
    with psycopg.connect(server.conninfo(), autocommit=True) as connection:
        return rows(connection, query, *arguments)


def verbs(connection: Connection, volatility: str) -> set[str]:
    found = rows(
        connection,
        "select proname from pg_proc "
        "where pronamespace = 'cmbs'::regnamespace and provolatile = %s "
        # Those for operators make logins, and are no verbs of the protocol.
        "and 'p_credential' = any(proargnames)",
        volatility,
    )
    return {name for (name,) in found}


def answer(connection: Connection, verb: str, arguments: dict[str, object]) -> list[Any]:
    """Every row of the answer, as text, but for how long something has waited by now, and for
    what files take, which are not the same everywhere."""
    named = ", ".join(f"p_{name} => %({name})s" for name in arguments)
    row = {
        "read_mirror": "(v::jsonb - 'lag_seconds')",
        "read_metrics": "((v::jsonb -> 'sessions') - '{log_bytes, table_bytes}'::text[])",
    }.get(verb, "v")
    query = f"select {row}::text from cmbs.{verb}({named}) as v order by 1"
    return connection.execute(query.encode(), arguments).fetchall()


def reads(pair: Pair, session: Session) -> dict[str, dict[str, object]]:
    mine: dict[str, object] = {"session_id": session.id}
    first, *_, last = (event["event_id"] for event in session.events())
    gone = next(event for event in session.events() if event["verb"] == "ELIMINATE")
    decided = pair.arbitrated("list_proposals")["proposals"][0]["proposal_id"]
    (allowed,), (asked,) = pair.allowed["items"], pair.asked["items"]
    return {
        "audit_event": {**mine, "event_id": first},
        "audit_identities": {"limit": 1},
        "audit_lines": mine,
        "read_context_eliminated": dict(CONTEXT),
        "read_context_survivors": dict(CONTEXT),
        "audit_trace": {**mine, "since_event_id": first, "limit": 2},
        "diff": {**mine, "from_event_id": first, "to_event_id": last},
        "explain": mine,
        "explain_decision": {"session_id": pair.arbitrated.id, "proposal_id": decided},
        "identify": {},
        "read_incident": dict(INCIDENT),
        "read_live_view": dict(INCIDENT),
        "read_tombstones": dict(INCIDENT),
        "read_main_graph": {},
        "read_metrics": {},
        "read_mirror": {},
        "list_deferrals": mine,
        "list_due": {},
        "list_inbox": {},
        "list_interrupts": mine,
        "list_permits": mine,
        "read_interrupt": {"session_id": pair.open.id, "interrupt_id": asked["interrupt_id"]},
        "read_permit": {"session_id": pair.open.id, "permit_id": allowed["permit_id"]},
        "list_capabilities": mine,
        "list_claims": {**mine, "history": True},
        "list_conclusions": mine,
        "list_obligations": mine,
        "list_permitted": {**mine, "capability_token": pair.capability["secret"]},
        "list_policies": {},
        "list_policy_versions": {"pack": "rich"},
        "list_principals": {},
        "list_proposals": mine,
        "list_schemas": {},
        "list_sessions": {"limit": 1},
        "list_tokens": {"name": "known"},
        "list_tools": {},
        "read_tool": {"tool_id": TOOL},
        "diff_policy": {**PACK, "to_pack": "rich", "to_version": 1},
        "lint_policy": {"entries": Json({})},
        "lint_published_policy": {"pack": "rich"},
        "replay_policy": {**mine, "pack": "rich"},
        "test_policy": {"pack": "rich"},
        "query_belief": {**mine, "as_of": last},
        "read_policy": {"pack": "rich"},
        "read_principal": {"name": "known"},
        "read_schema": {"schema_id": "rich"},
        "read_space": dict(SPACE),
        "read_token": {"token_id": token_id(TOKEN)},
        "recover_context": dict(CONTEXT),
        "revision": {},
        "read_state": {**mine, "as_of": last, "include_policy": True},
        "tenant": {},
        "verify": mine,
        "verify_all": {},
        "verify_identities": {},
        "whatif": {**mine, "without_source": gone["payload"]["source_id"]},
        "why": {**mine, "hypothesis_id": gone["delta"]["eliminated"][0]},
    }


def writes(pair: Pair, new: str) -> dict[str, list[dict[str, object]]]:
    """Messages that the primary takes in this order, named so that no two sets are alike."""
    session = pair.open
    mine: dict[str, object] = {"session_id": session.id}
    named = {**mine, "request_id": new}
    declared = {"ontology": Json(ONTOLOGY), "session_id": UUID(int=int(new))}
    # The log of another session, as long as its first event.
    other = str(UUID(int=int(new) + 2))
    first = call(session.connection, "audit_lines", session_id=session.id, limit=1)
    record = parse(first)["record"].replace(str(session.id), other)
    digests = [hashlib.sha256(f"{no} {new}".encode()).digest() for no in range(2)]
    old, young = (UUID(bytes=hashlib.sha256(digest).digest()[:16]) for digest in digests)
    token = {**mine, "token_id": pair.capability["token_id"]}
    (allowed,), (asked,) = pair.allowed["items"], pair.asked["items"]
    permit = {**mine, "permit_id": allowed["permit_id"]}
    approval = {**mine, "interrupt_id": asked["interrupt_id"], "resolution": "approve"}
    again = Json({"items": [tool_call(WRITER)]})
    grant = {"holder": new, "expires_at": ALWAYS}
    return {
        "begin_execution": [permit],
        "complete_execution": [{**permit, "outcome": "ok"}],
        "resolve_interrupt": [{**approval, "credential": pair.approver}],
        "resume": [{**mine, "proposal_id": pair.asked["proposal_id"], "proposal": again}],
        "set_mode": [{**mine, "mode": "eco"}],
        "sweep_expired": [mine],
        "set_webhook": [dict(WEBHOOK)],
        "settle_webhook": [{**mine, "message_id": NOBODY}],
        "take_webhooks": [{}],
        "merge_hypothesis": [
            {"nodes": Json([node(new)]), "edges": Json([edge("a", new)])},
            {"nodes": Json([node("b", by={"source": "encoder", "trigger": new})])},
        ],
        "create_incident": [{"incident_id": new, "node_ids": ["a", "b"]}, {"incident_id": new}],
        "merge_node_tombstones": [{**INCIDENT, "node_ids": [new], **RULED}],
        "merge_edge_tombstones": [
            {
                **INCIDENT,
                "edges": Json([{"source": "a", "target": new, "type": "DEPENDS_ON"}]),
                **RULED,
            },
        ],
        "set_mirror": [{"endpoint": ENDPOINT}],
        "take_mirror": [{}],
        "settle_mirror": [{"session_id": pair.tee.session.id, "seq": 1, "error": new}],
        "retry_mirror": [{"session_id": pair.tee.session.id}, {}],
        "create_principal": [{"name": new, "kind": "tool", "roles": ["tool"]}],
        "change_principal": [{"name": new, "source_prefixes": [new]}],
        "create_token": [{"name": new, "digest": digests[0], "prefix": "cmbs_old"}],
        "rotate_token": [{"token_id": old, "digest": digests[1], "prefix": "cmbs_young"}],
        "revoke_token": [{"token_id": young}],
        "declare_session": [
            {**declared, "hypotheses": ["x", new]},
            {**declared, "session_id": UUID(int=int(new) + 1)},
            {
                **{"session_id": UUID(int=int(new) + 3), "ontology": Json(ONTOLOGY)},
                "universe_from": Json({"tee_incident": "listed", "edges": True}),
            },
        ],
        "register_space": [
            {**SPACE, "hypotheses": ["b", "a"]},
            {**SPACE, "hypothesis_version": new, "hypotheses": ["a", new]},
        ],
        "create_context": [
            {"context_id": new, "hypotheses": ["a", new]},
            {"context_id": new, "hypotheses": ["a", new]},
        ],
        "eliminate_in_context": [
            {"context_id": new, "eliminated": ids, "source_id": "s", "trigger": "t"}
            for ids in ([], ["a"])
        ],
        "register_universe": [{"hypotheses": ["y", new]}],
        "import_events": [{"session_id": other, "records": record}],
        "set_policy_defaults": [{"policy": "{}"}],
        "register_schema": [{"schema_id": new, "document": "{}"}],
        "register_tool": [{"tool_id": new, "definition": "{}"}],
        "withdraw_tool": [{"tool_id": TOOL}],
        "publish_policy": [{"pack": new, "entries": "{}"}],
        "halt_policy": [{"is_halted": False, "reason": new}],
        "import_content": [{"kind": "tool", "content": json.dumps({"version": new})}],
        "apply_policy": [{**named, "request_id": f"p{new}", **PACK}],
        "issue_capability": [{**named, "request_id": f"i{new}", "grant": Json(grant)}],
        "narrow_capability": [
            {**mine, "request_id": f"a{new}", "parent_id": token["token_id"], "grant": Json(grant)}
        ],
        "propose": [pair.proposal(new)],
        "revoke_capability": [token],
        "record_claim": [{**mine, "claim": Json(CLAIM)}],
        "promote_claim": [{**mine, "claim_id": pair.claim["claim_id"]}],
        "confirm_claim": [{**mine, "key": "k", "value_digest": "0" * 64}],
        "eliminate": [
            {**mine, "source_id": "s", "observation_id": new, "eliminated": [f"h{new}"]},
        ],
        "eliminate_batch": [{**mine, "messages": Json([message("h2", observation_id=new)])}],
        "declare_conclusion": [{**named, "request_id": f"c{new}", "conclusion_id": "denied"}],
        "request_exit": [{**named, "request_id": f"x{new}", "obligation_id": "active"}],
        "enter_obligation": [
            {**named, "request_id": f"e{new}", "obligation_id": "o", "min_total_eliminations": 9},
        ],
        "waive_obligation": [
            {**named, "request_id": f"w{new}", "obligation_id": "o", "reason": "r"},
        ],
        "request_termination": [{**named, "request_id": f"t{new}", "context": '{"force": true}'}],
    }


@pytest.mark.slow("a standby is made")
@pytest.mark.parametrize("which", ["ended", "open", "arbitrated"])
def test_every_read_verb(pair: Pair, which: str) -> None:
    asked = reads(pair, getattr(pair, which))
    # To identify notes the use of a token where it can: it reads all the same.
    assert set(asked) == verbs(pair.standby, "s") | {"identify"} | TELL_TIME
    for verb, arguments in asked.items():
        found = answer(pair.standby, verb, arguments)
        assert found
        assert found == answer(pair.primary, verb, arguments), verb
    verified = call(pair.standby, "verify", session_id=asked["verify"]["session_id"])
    assert verified["ok"] is True
    assert verified["rows_checked"] > 2


def test_every_view(pair: Pair) -> None:
    views = rows(pair.standby, "select viewname from pg_views where schemaname = 'cmbs'")
    assert len(views) > 10
    for (view,) in views:
        query = of_view(view)
        found = rows(pair.standby, query)
        assert found
        assert found == rows(pair.primary, query), view


def of_view(view: str) -> str:
    """All of its rows, but for how long something has waited by now."""
    row = "to_jsonb(v) - 'lag_seconds'" if view == "tee_message" else "v"
    return f"select ({row})::text from cmbs.{view} as v order by 1"


def test_a_token_counts_and_its_use_is_not_noted(pair: Pair) -> None:
    for connection, is_noted in ((pair.standby, False), (pair.primary, True)):
        found = call(connection, "identify", credential=TOKEN)
        assert (found["name"], found["roles"]) == ("known", ["agent"])
        used = "select last_used_at is not null from cmbs.api_token where prefix = 'cmbs_shown'"
        assert rows(connection, used) == [(is_noted,)]
    with pytest.raises(errors.Unauthenticated):
        call(pair.standby, "identify", credential=b"u" * 32)
    foreign = pair.open.id
    call(pair.primary, "create_principal", name="far", kind="agent", roles=["agent"], tenant="far")
    token = {"name": "far", "tenant": "far", "digest": b"f" * 32, "prefix": "cmbs_far"}
    call(pair.primary, "create_token", **token)
    pair.catch_up()
    assert call(pair.standby, "query_belief", session_id=foreign, credential=TOKEN)
    with pytest.raises(errors.SessionNotFound):
        call(pair.standby, "query_belief", session_id=foreign, credential=b"f" * 32)


@dataclass
class Replicated:
    """The sample on both servers, and an analyst who was added on the primary."""

    primary: Connection
    standby: Connection
    analyst: Analyst


@pytest.fixture(scope="module")
def replicated(
    server: SimpleNamespace, template: Any, standby: embedded.Server
) -> Iterator[Replicated]:
    with copy_of_a_module(server, template, "analysed") as primary:
        analytics.load(primary.info.dsn)
        begin_context(primary, "context", "a")
        analyst = Analyst(primary)
        until(lambda: rows_of(standby, "select 1 from pg_roles where rolname = %s", analyst.name))
        try:
            with analyst.connect(host=str(standby.socket_dir)) as replica:
                yield Replicated(primary, replica, analyst)
        finally:
            analyst.remove()


def test_an_analyst_reads_every_view_and_verifies(replicated: Replicated) -> None:
    ((is_standby, login),) = rows(replicated.standby, "select pg_is_in_recovery(), session_user")
    assert (is_standby, login) == (True, replicated.analyst.name)
    views = rows(replicated.standby, "select viewname from pg_views where schemaname = 'cmbs'")
    assert len(views) == 42
    for (view,) in views:
        if view in ABOUT_IDENTITIES:
            continue
        query = f"select v::text from cmbs.{view} as v order by 1"
        found = rows(replicated.standby, query)
        # Nothing is proposed in the sample, and it has no graph; the next test has that.
        assert found or view in ABOUT_ARBITRATION | ABOUT_GRAPHS, view
        assert found == rows(replicated.primary, query), view
    verified = rows(replicated.standby, "select count(*), bool_and(ok) from cmbs.verify_all()")
    assert verified == [(analytics.SESSIONS, True)]
    one = "select cmbs.verify(session_id) ->> 'ok' from cmbs.session order by session_id limit 5"
    assert rows(replicated.standby, one) == [("true",)] * 5
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        rows(replicated.standby, "select cmbs.list_sessions()")


def test_an_analyst_reads_what_was_decided(pair: Pair, standby: embedded.Server) -> None:
    analyst = Analyst(pair.primary)
    try:
        pair.catch_up()
        with analyst.connect(host=str(standby.socket_dir)) as replica:
            for view in ABOUT_ARBITRATION | ABOUT_GRAPHS:
                query = of_view(view)
                found = rows(replica, query)
                assert found, view
                assert found == rows(pair.primary, query), view
            assert call(replica, "verify", session_id=pair.arbitrated.id)["ok"] is True
    finally:
        analyst.remove()


@pytest.mark.parametrize("path", analytics.QUERIES, ids=lambda path: path.stem)
def test_an_analysts_query(path: Path, replicated: Replicated, standby: embedded.Server) -> None:
    program = analytics.psql_of(standby)
    if not program:
        pytest.skip("the queries are run by psql, and there is none")
    found = replicated.analyst.psql(program, path, PGHOST=str(standby.socket_dir))
    assert found == path.with_suffix(".out").read_text()


@pytest.mark.parametrize(("is_token_shown", "decision"), [(True, "allow"), (False, "deny")])
def test_a_proposal_that_is_only_tried(pair: Pair, is_token_shown: bool, decision: str) -> None:
    """A dry run reads: the standby decides as the primary would, and neither records it."""
    without = {} if is_token_shown else {"capability_token": None}
    tried = pair.proposal("only tried", mode="dry_run", **without)
    before = pair.open.snapshot()["audit_seq"]
    found = call(pair.standby, "propose", **tried)
    assert found == call(pair.primary, "propose", **tried)
    assert (found["decision"], found["proposal_id"]) == (decision, None)
    assert pair.open.snapshot()["audit_seq"] == before
    is_refused(pair.standby, "propose", pair.proposal("only tried", **without))
    with pytest.raises(errors.SessionNotFound):
        call(pair.standby, "propose", **tried | {"session_id": uuid4()})


def test_every_mutating_verb(pair: Pair) -> None:
    sent = writes(pair, "100")
    assert set(sent) == verbs(pair.standby, "v") - {"identify"} - TELL_TIME
    for verb, several in sent.items():
        for arguments in several:
            is_refused(pair.standby, verb, arguments)
    for verb, several in sent.items():
        for arguments in several:
            assert call(pair.primary, verb, **arguments), "and it was not for its arguments"
    pair.catch_up()
    # A universe that is there is only looked up, so that a declare on a shard need not write it.
    (known,) = sent.pop("register_universe")
    verb = "register_universe"
    assert call(pair.standby, verb, **known) == call(pair.primary, verb, **known)
    for verb, several in sent.items():
        for arguments in several:
            is_refused(pair.standby, verb, arguments)
    assert call(pair.standby, "query_belief", session_id=pair.open.id)["terminated"] is True


def is_refused(standby: Connection, verb: str, arguments: dict[str, object]) -> None:
    with pytest.raises(psycopg.Error) as caught:
        call(standby, verb, **arguments)
    assert caught.value.sqlstate == "25006", f"{verb}: {caught.value}"
    assert errors.classify(caught.value) == ("UNAVAILABLE", 503)


def test_a_session_that_is_not_there(pair: Pair) -> None:
    """It may only not have arrived yet: a mutating verb does not say that it is not found."""
    nobody = uuid4()
    for verb, several in writes(pair, "200").items():
        for arguments in several:
            if "session_id" in arguments:
                is_refused(pair.standby, verb, {**arguments, "session_id": nobody})
            if "context_id" in arguments or "incident_id" in arguments:
                is_refused(pair.standby, verb, arguments)
    with pytest.raises(errors.SessionNotFound):
        call(pair.standby, "query_belief", session_id=nobody)


def test_an_incident_that_is_not_there(pair: Pair) -> None:
    """It may only not have arrived yet, and so may the graph."""
    nobody = {"incident_id": "nobody"}
    for verb, several in writes(pair, "300").items():
        for arguments in several:
            if "incident_id" in arguments:
                is_refused(pair.standby, verb, arguments | nobody)
    is_refused(pair.standby, "create_incident", {**nobody, "node_ids": ["never merged"]})
    from_it = {"universe_from": Json({"tee_incident": "nobody"}), "ontology": Json(ONTOLOGY)}
    is_refused(pair.standby, "declare_session", {"session_id": uuid4(), **from_it})
    with pytest.raises(errors.IncidentNotFound):
        call(pair.standby, "read_live_view", **nobody)


def test_a_space_that_is_not_there(pair: Pair) -> None:
    """It may only not have arrived yet."""
    unknown = Json({**ONTOLOGY, "hypothesis_version": "never registered"})
    is_refused(pair.standby, "declare_session", {"session_id": uuid4(), "ontology": unknown})


NOT_ARRIVED: dict[str, dict[str, object]] = {
    "withdraw_tool": {"tool_id": "never registered"},
    "register_tool": {"tool_id": "t", "definition": Json({"args_schema": "never registered"})},
    "publish_policy": {
        "pack": "p",
        "entries": Json(
            {
                "constraint.x": {
                    **{"v": 1, "effect": "deny", "subject": {"tool_id": TOOL}},
                    "when": {"op": "schema", "args": ["never registered"]},
                }
            }
        ),
    },
}


@pytest.mark.parametrize("verb", NOT_ARRIVED)
def test_a_tool_or_schema_that_is_not_there(pair: Pair, verb: str) -> None:
    """It may only not have arrived yet."""
    is_refused(pair.standby, verb, NOT_ARRIVED[verb])


def test_verify_can_say_no(pair: Pair) -> None:
    broken = Session(pair.primary, ["a", "b"])
    broken.eliminate("a")
    with pair.primary.transaction():
        switch = "alter table cmbs_store.tombstone {} trigger tombstone_append_only"
        pair.primary.execute(switch.format("disable").encode())
        pair.primary.execute("delete from cmbs_store.tombstone where session_id = %s", [broken.id])
        pair.primary.execute(switch.format("enable always").encode())
    pair.catch_up()
    found = call(pair.standby, "verify", session_id=broken.id)
    assert found["ok"] is False
    assert found["first_bad"] == call(pair.primary, "verify", session_id=broken.id)["first_bad"]
    bad = rows(pair.standby, "select session_id from cmbs.verify_all() where not ok")
    assert bad == [(broken.id,)]


def test_it_can_be_examined_and_dumped(
    pair: Pair, standby: embedded.Server, tmp_path: Path
) -> None:
    there = Target(standby.conninfo(pair.standby.info.dbname), standby)
    assert doctor.examine(there.url).findings == []
    backup.dump(there, tmp_path / "dump", overwrite=False)
    dumpfile.check(tmp_path / "dump", sealed=True)
