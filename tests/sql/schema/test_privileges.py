"""Who may do what, both ways: everything a role may, and that it may nothing else."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg import sql
from psycopg.types.json import Json

from cmbs import errors
from cmbs.database.calls import call
from cmbs.deploy.resources import verb_files, view_files
from tests.support.beliefs import NO_EVENT, ONTOLOGY, Connection, Session, message, refused
from tests.support.sizes import sampled
from tests.support.tables import STATE_TABLES, TABLES
from tests.tee.scene import edge, node

# A token that tests make known, and its id.
DIGEST = b"k" * 32
KNOWN = UUID(bytes=hashlib.sha256(DIGEST).digest()[:16])

READ = {
    "audit_event",
    "audit_lines",
    "audit_trace",
    "diff",
    "explain",
    "list_conclusions",
    "list_obligations",
    "list_sessions",
    "query_belief",
    "read_space",
    "revision",
    "verify",
    "verify_all",
    "whatif",
    "why",
}
ACT = {
    "declare_conclusion",
    "declare_session",
    "eliminate",
    "eliminate_batch",
    "enter_obligation",
    "register_space",
    "register_universe",
    "request_exit",
    "request_termination",
}
LOOK_AT_POLICY = {
    *("list_policies", "list_policy_versions", "read_policy", "diff_policy"),
    *("lint_policy", "lint_published_policy", "test_policy"),
    *("list_schemas", "read_schema", "list_tools", "read_tool"),
    *("list_capabilities", "list_claims", "list_permitted", "list_proposals"),
    *("explain_decision", "replay_policy", "read_state"),
    *("list_deferrals", "list_inbox", "list_interrupts", "list_permits"),
    *("read_interrupt", "read_permit"),
}
READ |= LOOK_AT_POLICY
PROPOSE = {"propose", "record_claim", "promote_claim"}
PROPOSE |= {"resume", "begin_execution", "complete_execution"}
# Holders of capability tokens, and approvers, may be of any role that a principal has.
SHARED = {"narrow_capability", "revoke_capability", "confirm_claim", "resolve_interrupt"}
APPROVE = {"confirm_claim", "resolve_interrupt"}
OUTBOX = {"settle_webhook", "take_webhooks"}
SWEEP = {"list_due", "sweep_expired"}
SHARED |= SWEEP
# What the mirror is told, and what came of it: as with the webhooks, by who sees every tenant.
TELL_TEE = {"settle_mirror", "take_mirror"}
SET_MIRROR = {"retry_mirror", "set_mirror"}
WATCH = {"read_mirror", "read_metrics"}
OPERATE = {"set_webhook"} | OUTBOX | TELL_TEE | SET_MIRROR | WATCH
# What is due anyway, which the server does by itself, whoever else there is.
UPKEEP = SWEEP | OUTBOX | TELL_TEE | WATCH
SET_POLICY = {
    *("apply_policy", "halt_policy", "publish_policy", "register_schema", "set_mode"),
    *("issue_capability", "register_tool", "withdraw_tool"),
}
READ_CONTEXT = {"read_context_eliminated", "read_context_survivors", "recover_context"}
ACT_ON_CONTEXT = {"create_context", "eliminate_in_context"}
READ_GRAPH = {"read_incident", "read_live_view", "read_main_graph", "read_tombstones"}
ACT_ON_GRAPH = {"create_incident", "merge_hypothesis"}
ACT_ON_GRAPH |= {"merge_edge_tombstones", "merge_node_tombstones"}
SEE_ONESELF = {"identify", "tenant"}
LOOK_AT_IDENTITIES = {
    *("list_principals", "list_tokens", "read_principal", "read_token"),
    *("audit_identities", "verify_identities"),
}
CHANGE_IDENTITIES = {
    *("create_principal", "change_principal"),
    *("create_token", "rotate_token", "revoke_token"),
}
RULE = {"set_policy_defaults", "waive_obligation"} | SET_POLICY
KEEP = {"import_content", "import_events"}
TEXTS = {path.stem: path.read_text() for path in verb_files()}
VERBS = set(TEXTS)
VIEWS = {path.stem for path in view_files()}

IDENTITIES = LOOK_AT_IDENTITIES | CHANGE_IDENTITIES

MAY_CALL = {
    "cmbs_agent": {
        *(READ | ACT | READ_CONTEXT | ACT_ON_CONTEXT | SEE_ONESELF | PROPOSE | SHARED),
        *(READ_GRAPH | ACT_ON_GRAPH),
    },
    "cmbs_policy": READ | RULE | SEE_ONESELF | SHARED | {"declare_session"},
    "cmbs_auditor": {
        *(READ | READ_CONTEXT | SEE_ONESELF | LOOK_AT_IDENTITIES),
        *(READ_GRAPH | WATCH),
    },
    "cmbs_analyst": {"revision", "verify", "verify_all"} | SEE_ONESELF,
    "cmbs_admin": {
        *(SEE_ONESELF | IDENTITIES | SET_MIRROR | WATCH),
        *("revision", "set_webhook"),
    },
    "cmbs_server": {
        *(READ | ACT | RULE | SEE_ONESELF | IDENTITIES | PROPOSE | SHARED),
        *(READ_GRAPH | ACT_ON_GRAPH | OPERATE),
    },
    "cmbs_kernel": VERBS,
    "nobody": set[str](),
}
ABOUT_IDENTITIES = {"api_token", "identity_event", "principal"}
MAY_SELECT = {
    "cmbs_agent": set[str](),
    "cmbs_policy": VIEWS - ABOUT_IDENTITIES,
    "cmbs_auditor": VIEWS,
    "cmbs_analyst": VIEWS - ABOUT_IDENTITIES,
    "cmbs_admin": ABOUT_IDENTITIES,
    "cmbs_server": set[str](),
    "cmbs_kernel": set[str](),
    "nobody": set[str](),
}
# What these are called with is not there, or is of another kind.
FINDS_NOTHING: dict[str, type[psycopg.Error]] = {
    "begin_execution": errors.PermitNotFound,
    "complete_execution": errors.PermitNotFound,
    "promote_claim": errors.ClaimNotFound,
    "explain_decision": errors.InvalidRequest,
    "resolve_interrupt": errors.InterruptNotFound,
    "read_interrupt": errors.InterruptNotFound,
    "read_permit": errors.PermitNotFound,
    "read_schema": errors.SchemaNotFound,
    "read_tool": errors.ToolNotFound,
    "resume": errors.InvalidRequest,
    "narrow_capability": errors.TokenNotFound,
    "revoke_capability": errors.TokenNotFound,
    "withdraw_tool": errors.ToolNotFound,
}
LOGINS = ["cmbs_agent", "cmbs_policy", "cmbs_auditor", "cmbs_analyst", "cmbs_admin"]
CALLERS = [*LOGINS, "cmbs_server", "nobody"]
WEBHOOK = {"url": "https://example.org/hook", "secret": "s" * 24}
INCIDENT = {"incident_id": "i"}
RULED = {"source_id": "s", "trigger": "t"}
# An item of a proposal.
CALL = {"kind": "tool_call", "tool_id": "t"}
STATE = {
    "n_clock_steps",
    "audit_seq",
    "audit_head_event_id",
    "audit_head_hash",
    "audit_head_at",
    "survivors_hash",
    "n_survivors",
    "is_terminated",
    "mask",
    "obligation_seq",
    "obligation_id",
    "obligation_minimum",
    "obligation_survivors",
    "conclusion_id",
    "conclusion_run",
}


def names(connection: Connection, query: str, *values: object) -> set[str]:
    return {row[0] for row in connection.execute(query.encode(), values)}


@pytest.fixture
def logins(tx: Connection) -> Connection:
    """Logins that are of one role each, `nobody` of none; they go with the transaction."""
    tx.execute("create role nobody login")
    for role in ("agent", "policy", "auditor", "analyst", "admin", "server"):
        tx.execute(f"create role login_cmbs_{role} login in role cmbs_{role}".encode())
    return tx


@contextmanager
def logged_in(connection: Connection, role: str) -> Iterator[None]:
    """What a fresh connection of this login would be: session_user is the login as well."""
    login = role if role in ("nobody", "cmbs_server", "cmbs_kernel") else f"login_{role}"
    statement = sql.SQL("set session authorization {}").format(sql.Identifier(login))
    connection.execute(statement)
    try:
        yield
    finally:
        connection.execute("reset session authorization")


def is_refused(connection: Connection, statement: str, *values: object) -> bool:
    try:
        with connection.transaction():
            connection.execute(statement.encode(), values or None)
    except psycopg.errors.InsufficientPrivilege:
        return True
    return False


def test_the_sets_are_all_verbs() -> None:
    sets = [READ, ACT, READ_CONTEXT, ACT_ON_CONTEXT, RULE, KEEP, SEE_ONESELF, IDENTITIES]
    sets += [PROPOSE, SHARED, OPERATE, READ_GRAPH, ACT_ON_GRAPH]
    assert set[str]().union(*sets) == VERBS
    assert sum(map(len, sets)) == len(VERBS), "each is in one of them"


@pytest.mark.parametrize("role", MAY_CALL)
def test_functions(logins: Connection, role: str) -> None:
    allowed = names(
        logins,
        "select pronamespace::regnamespace || '.' || proname from pg_proc where pronamespace in "
        "('cmbs'::regnamespace, 'cmbs_store'::regnamespace) "
        "and has_schema_privilege(%s, pronamespace, 'usage') "
        "and has_function_privilege(%s, oid, 'execute')",
        role,
        role,
    )
    ours = {name for name in allowed if name.startswith("cmbs.")}
    assert ours == {f"cmbs.{verb}" for verb in MAY_CALL[role]}
    if role != "cmbs_kernel":
        assert allowed == ours


@pytest.mark.parametrize("role", MAY_SELECT)
def test_views_and_tables(logins: Connection, role: str) -> None:
    readable = names(
        logins,
        "select relname from pg_class where relnamespace = 'cmbs'::regnamespace "
        "and has_any_column_privilege(%s, oid, 'select')",
        role,
    )
    assert readable == MAY_SELECT[role]
    for privilege in ("insert", "update", "references"):
        written = names(
            logins,
            "select relname from pg_class where relnamespace = 'cmbs'::regnamespace "
            "and has_any_column_privilege(%s, oid, %s)",
            role,
            privilege,
        )
        assert written == set()
    if role == "cmbs_kernel":
        return
    for privilege in ("select", "insert", "update", "references"):
        stored = names(
            logins,
            "select relname from pg_class where relnamespace = 'cmbs_store'::regnamespace "
            "and relkind = 'r' and has_any_column_privilege(%s, oid, %s)",
            role,
            privilege,
        )
        assert stored == set()


def test_only_owner_and_kernel_enter_the_store(logins: Connection) -> None:
    everybody = "select rolname from pg_roles where not rolsuper and rolname !~ '^pg_' "
    enter = names(logins, everybody + "and has_schema_privilege(oid, 'cmbs_store', 'usage')")
    assert enter == {"cmbs_owner", "cmbs_kernel"}
    for schema in ("cmbs", "cmbs_store"):
        create = names(logins, everybody + "and has_schema_privilege(oid, %s, 'create')", schema)
        assert create == {"cmbs_owner"}, "the kernel may create only while it is deployed"


def test_nobody_is_of_the_owner_or_the_kernel(logins: Connection) -> None:
    members = names(
        logins,
        "select member::regrole::text from pg_auth_members where roleid in "
        "('cmbs_owner'::regrole, 'cmbs_kernel'::regrole)",
    )
    assert members == set()


@pytest.mark.parametrize("table", [*TABLES, "revision", "clock_mark"])
def test_the_kernel_reads_and_appends(tx: Connection, table: str) -> None:
    name = f"cmbs_store.{table}"
    may = names(
        tx,
        "select p from unnest(%s::text[]) as p where has_table_privilege('cmbs_kernel', %s, p)",
        ["select", "insert", "update", "delete", "truncate", "references", "trigger"],
        name,
    )
    is_read = table in ("revision", "clock_mark", "reason_code")
    assert may == ({"select"} if is_read else {"select", "insert"})
    columns = names(
        tx,
        "select attname from pg_attribute where attrelid = %s::regclass and attnum > 0 "
        "and has_column_privilege('cmbs_kernel', attrelid, attnum, 'update')",
        name,
    )
    state = {
        "session": STATE,
        "session_mask": {"chunk"},
        "context": {"n_events"},
        "principal": {"roles", "source_prefixes", "is_enabled"},
        "api_token": {"revoked_at"},
        "api_token_use": {"used_at"},
        "elimination_claimant": {"other_seq"},
        "elimination_count": {"counted_seq"},
        "open_item": {"is_open", "due_at"},
        "webhook_message": {"state", "n_attempts", "next_at", "last_error"},
        "identity_head": {"seq", "event_hash", "recorded_at"},
        "clock_mark": {"reached_at", "lead_us", "n_steps", "n_found"},
        "graph_head": {"version"},
        "incident": {"n_events"},
        "tee_message": {"state", "n_attempts", "next_at", "last_error", "delivered_at"},
    }
    assert columns == state.get(table, set())


def test_the_kernel_is_refused_what_it_may_not(tx: Connection) -> None:
    Session(tx).eliminate("a")
    declared = names(
        tx,
        "select attname from pg_attribute where attrelid = 'cmbs_store.session'::regclass "
        "and attnum > 0",
    )
    with logged_in(tx, "cmbs_kernel"):
        for table in TABLES:
            assert is_refused(tx, f"delete from cmbs_store.{table}"), table
            assert is_refused(tx, f"truncate cmbs_store.{table}"), table
        for column in declared - STATE:
            assert is_refused(tx, f"update cmbs_store.session set {column} = {column}"), column
        for column in STATE:
            assert not is_refused(tx, f"update cmbs_store.session set {column} = {column}"), column
        for statement in (
            "update cmbs_store.audit_event set record = record",
            "update cmbs_store.tombstone set seq = seq",
            "update cmbs_store.session_mask set chunk_no = chunk_no",
            "update cmbs_store.context set universe_digest = universe_digest",
            "update cmbs_store.context_tombstone set event_no = event_no",
            "update cmbs_store.incident set tenant = tenant",
            "update cmbs_store.graph_node set type = type",
            "update cmbs_store.node_tombstone set event_no = event_no",
            "update cmbs_store.tee_message set seq = seq",
            "alter table cmbs_store.audit_event disable trigger all",
            "create table cmbs_store.t ()",
            "create function cmbs.f() returns void language sql as ''",
            "set session_replication_role = replica",
        ):
            assert is_refused(tx, statement), statement


def arguments_of(session: Session, verb: str) -> dict[str, Any]:
    """What to call a verb with, so that nothing but its privilege can be wrong."""
    event = session.declared["audit_event_id"]
    space = {"hypothesis_space_id": "s", "hypothesis_version": "1"}
    particular: dict[str, dict[str, Any]] = {
        "audit_event": {"event_id": event},
        "merge_hypothesis": {
            "nodes": Json([node("a"), node("b")]),
            "edges": Json([edge("a", "b")]),
        },
        "create_incident": {"incident_id": "i", "node_ids": ["a", "b"]},
        **dict.fromkeys(("read_incident", "read_live_view", "read_tombstones"), INCIDENT),
        "merge_node_tombstones": {**INCIDENT, "node_ids": ["a"], **RULED},
        "merge_edge_tombstones": {
            **INCIDENT,
            "edges": Json([{"source": "a", "target": "b", "type": "DEPENDS_ON"}]),
            **RULED,
        },
        "set_mirror": {"endpoint": None},
        "settle_mirror": {"seq": 0},
        "read_context_eliminated": {"context_id": "k"},
        "read_context_survivors": {"context_id": "k"},
        "change_principal": {"name": "known", "roles": ["encoder"]},
        "create_principal": {"name": "new", "kind": "agent", "roles": ["agent"]},
        "create_token": {"name": "known", "digest": b"n" * 32, "prefix": "cmbs_new"},
        "revoke_token": {"token_id": KNOWN},
        "rotate_token": {"token_id": KNOWN, "digest": b"o" * 32, "prefix": "cmbs_other"},
        "create_context": {"context_id": "k", "hypotheses": ["a"]},
        "declare_conclusion": {"conclusion_id": "c"},
        "declare_session": {"ontology": Json(ONTOLOGY), "hypotheses": list("abcd")},
        "diff": {"from_event_id": event, "to_event_id": event},
        "eliminate": {"source_id": "s", "observation_id": "o", "eliminated": ["a"]},
        "eliminate_in_context": {
            **{"context_id": "k", "eliminated": ["a"]},
            **{"source_id": "s", "trigger": "t"},
        },
        "eliminate_batch": {"messages": Json([message("b")])},
        "enter_obligation": {"obligation_id": "p", "min_total_eliminations": 0},
        "begin_execution": {"permit_id": NO_EVENT},
        "confirm_claim": {"key": "k", "value_digest": "0" * 64},
        "complete_execution": {"permit_id": NO_EVENT, "outcome": "ok"},
        "resolve_interrupt": {"interrupt_id": NO_EVENT, "resolution": "approve"},
        "read_interrupt": {"interrupt_id": NO_EVENT},
        "read_permit": {"permit_id": NO_EVENT},
        "resume": {"proposal_id": event, "proposal": Json({"items": [CALL]})},
        "set_mode": {"mode": "eco"},
        "set_webhook": {"url": None},
        "settle_webhook": {"message_id": NO_EVENT},
        "promote_claim": {"claim_id": NO_EVENT},
        "record_claim": {"claim": Json({"kind": "fact", "key": "k", "value": 1})},
        "explain_decision": {"proposal_id": event},
        "import_content": {"kind": "tool", "content": "{}"},
        "import_events": {"records": "{}"},
        "apply_policy": {"pack": "supervised", "version": 1},
        "diff_policy": {"pack": "supervised", "version": 1, "to_version": 1},
        "halt_policy": {"is_halted": False, "reason": "r"},
        "lint_policy": {"entries": Json({})},
        "lint_published_policy": {"pack": "supervised"},
        "publish_policy": {"pack": "p", "entries": Json({})},
        "replay_policy": {"pack": "supervised"},
        "test_policy": {"pack": "supervised"},
        "propose": {
            "proposal": Json(
                {
                    "state_snapshot_id": event,
                    "provenance": {"source": "s"},
                    "items": [CALL],
                }
            )
        },
        "list_policies": {},
        "list_policy_versions": {"pack": "supervised"},
        "list_schemas": {},
        "list_tools": {},
        "read_tool": {"tool_id": "t"},
        "read_policy": {"pack": "supervised"},
        "read_schema": {"schema_id": "s"},
        "register_schema": {"schema_id": "s", "document": Json({})},
        "narrow_capability": {"parent_id": NO_EVENT, "grant": Json({"holder": "h"})},
        "issue_capability": {"grant": Json({"holder": "h", "expires_at": "2100-01-01T00:00:00Z"})},
        "revoke_capability": {"token_id": NO_EVENT},
        "register_tool": {"tool_id": "t", "definition": Json({})},
        "withdraw_tool": {"tool_id": "t"},
        "list_sessions": {},
        "read_principal": {"name": "known"},
        "read_space": space,
        "read_token": {"token_id": KNOWN},
        "recover_context": {"context_id": "k"},
        "register_space": {**space, "hypotheses": ["x"]},
        "register_universe": {"hypotheses": ["y"]},
        "request_exit": {"obligation_id": "o"},
        "revision": {},
        "set_policy_defaults": {"policy": Json({"stability_window": 1})},
        "verify_all": {},
        "waive_obligation": {"obligation_id": "o", "reason": "r"},
        "whatif": {"without_source": "s"},
        "why": {"hypothesis_id": "a"},
    }
    has_session = "(\n    p_session_id uuid" in TEXTS[verb]
    return ({"session_id": session.id} if has_session else {}) | particular.get(verb, {})


@pytest.mark.parametrize("role", sampled(CALLERS))
def test_calls(logins: Connection, role: str, subtests: pytest.Subtests) -> None:
    for verb in sorted(VERBS):
        with subtests.test(verb), logins.transaction(force_rollback=True):
            _check_call(logins, role, verb)


def _check_call(logins: Connection, role: str, verb: str) -> None:
    session = Session(logins)
    call(logins, "register_space", **arguments_of(session, "register_space"))
    for given in ("create_context", "merge_hypothesis", "create_incident"):
        call(logins, given, **arguments_of(session, given))
    if verb in ("request_exit", "waive_obligation"):
        session.enter("o", 0)
    session.eliminate("d", source_id="s", observation_id="before")
    needs_some = verb in CHANGE_IDENTITIES | {"read_principal", "read_token"}
    if needs_some and role != "cmbs_server":
        call(logins, "create_principal", name="known", kind="agent", roles=["agent"])
        call(logins, "create_token", name="known", digest=DIGEST, prefix="cmbs_known")
    sent = arguments_of(session, verb)
    with logged_in(logins, role):
        if verb in CHANGE_IDENTITIES and role == "cmbs_server":
            # Without a token it is nobody who could make the first one.
            with pytest.raises(errors.Forbidden), logins.transaction():
                call(logins, verb, **sent)
        elif needs_some and role == "cmbs_server":
            # There is nobody as long as it may ask without a token.
            with (
                pytest.raises((errors.PrincipalNotFound, errors.TokenNotFound)),
                logins.transaction(),
            ):
                call(logins, verb, **sent)
        elif verb in APPROVE & MAY_CALL[role] and role != "cmbs_server":
            # A login by itself is no approver; one that is registered as a principal may be.
            with pytest.raises(errors.Forbidden), logins.transaction():
                call(logins, verb, **sent)
        elif verb in MAY_CALL[role] and (
            verb in SET_MIRROR | {"set_webhook"} or (verb in WATCH and role in LOGINS)
        ):
            # The server is no administrator, and a login not of every tenant.
            with pytest.raises(errors.Forbidden), logins.transaction():
                call(logins, verb, **sent)
        elif verb in MAY_CALL[role] and verb in FINDS_NOTHING:
            with pytest.raises(FINDS_NOTHING[verb]), logins.transaction():
                call(logins, verb, **sent)
        elif verb in MAY_CALL[role]:
            call(logins, verb, **sent)
        else:
            with pytest.raises(psycopg.errors.InsufficientPrivilege), logins.transaction():
                call(logins, verb, **sent)


@pytest.mark.parametrize("role", CALLERS)
def test_reads(logins: Connection, role: str) -> None:
    Session(logins).eliminate("a")
    with logged_in(logins, role):
        for view in VIEWS:
            refusal = is_refused(logins, f"select count(*) from cmbs.{view}")
            assert refusal is (view not in MAY_SELECT[role]), view
        for table in [*TABLES, "revision"]:
            assert is_refused(logins, f"select count(*) from cmbs_store.{table}"), table
            assert is_refused(logins, f"delete from cmbs_store.{table}"), table
        for helper in (
            "cmbs_store.clock()",
            "cmbs_store.login_principal()",
            "cmbs_store.entropy(1)",
        ):
            assert is_refused(logins, f"select {helper}"), helper
        assert is_refused(logins, "create table cmbs.t ()")
        assert is_refused(logins, "set session_replication_role = replica")
        for role_above in ("cmbs_owner", "cmbs_kernel", "postgres"):
            assert is_refused(logins, f"set role {role_above}"), role_above


@pytest.mark.parametrize("verb", sorted(RULE))
def test_the_policy_role_is_asked_for_beyond_the_grant(logins: Connection, verb: str) -> None:
    session = Session(logins)
    session.enter("o", 0)
    logins.execute("grant execute on all functions in schema cmbs to cmbs_agent")
    with logged_in(logins, "cmbs_agent"):
        with pytest.raises(errors.Forbidden) as caught, logins.transaction():
            call(logins, verb, **arguments_of(session, verb))
        assert caught.value.details["required_roles"] == ["policy"]
    assert session.snapshot()["active_obligation_id"] == "o"


def test_membership_of_the_servers_role_is_not_the_servers_login(logins: Connection) -> None:
    session = Session(logins)
    with logged_in(logins, "login_cmbs_server".removeprefix("login_")):
        call(logins, "eliminate", **arguments_of(session, "eliminate"))
    assert session.last_event()["actor"] == "api"
    logins.execute("set session authorization login_cmbs_server")
    with pytest.raises(errors.Forbidden), logins.transaction():
        call(logins, "set_policy_defaults", policy=Json({}))
    session.eliminate("b")
    logins.execute("reset session authorization")
    assert session.last_event()["actor"] == "login_cmbs_server"


def test_nobody_names_another_principal(logins: Connection) -> None:
    logins.execute('create role "odd "" \\ name" login in role cmbs_agent')
    session = Session(logins)
    logins.execute('set session authorization "odd "" \\ name"')
    logins.execute("set role cmbs_agent")
    logins.execute("set application_name = 'api'")
    session.eliminate("a")
    logins.execute("reset session authorization")
    assert session.last_event()["actor"] == 'odd " \\ name'
    assert session.is_whole()


ANY: dict[str, dict[str, object]] = {"explain": {}, "whatif": {}}
ANY["diff"] = {"from_event_id": NO_EVENT, "to_event_id": NO_EVENT}


def test_a_credential_is_nobodys_as_long_as_there_are_no_identities(tx: Connection) -> None:
    for credential in (b"", b"x" * 32):
        session = Session(tx)
        session.refuses(errors.Unauthenticated, "query_belief", credential=credential)
        for verb in ("explain", "whatif", "diff"):
            # Before anything else can be wrong.
            session.refuses(
                errors.Unauthenticated, verb, credential=credential, limit=0, **ANY[verb]
            )
        sent = {"source_id": "s", "observation_id": "o", "eliminated": ["a"]}
        session.refuses(errors.Unauthenticated, "eliminate", credential=credential, **sent)


def test_the_servers_login_cannot_hang(tx: Connection) -> None:
    (settings,) = tx.execute(
        "select setconfig from pg_db_role_setting where setrole = 'cmbs_server'::regrole"
    ).fetchone() or (None,)
    found = dict(setting.split("=") for setting in settings)
    wanted = {"statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"}
    assert set(found) == wanted
    assert all(value.endswith("s") and int(value[:-1]) > 0 for value in found.values())


@pytest.mark.parametrize("replication_role", ["origin", "replica"])
@pytest.mark.parametrize("table", TABLES)
def test_append_only_also_for_the_superuser(
    tx: Connection, table: str, replication_role: str
) -> None:
    Session(tx, minimal=True).eliminate("a")
    tx.execute(f"set local session_replication_role = {replication_role}".encode())
    (column,) = tx.execute(
        "select attname from pg_attribute where attrelid = %s::regclass and attnum = 1",
        [f"cmbs_store.{table}"],
    ).fetchone() or ("",)
    statements = {
        "DELETE": f"delete from cmbs_store.{table}",
        "TRUNCATE": f"truncate cmbs_store.{table} cascade",
    }
    if table not in STATE_TABLES:
        statements["UPDATE"] = f"update cmbs_store.{table} set {column} = {column}"
    for operation, statement in statements.items():
        with pytest.raises(psycopg.errors.InsufficientPrivilege) as caught, tx.transaction():
            tx.execute(statement.encode())
        assert caught.value.diag.message_primary == "This table is append-only."
        if operation != "TRUNCATE":
            assert f'"operation" : "{operation}"' in str(caught.value.diag.message_detail)


def shadowing_operators(connection: Connection) -> None:
    for kind in ("text", "uuid", "bytea", "bigint", "integer", "jsonb"):
        connection.execute(
            f"create function evil.never(a {kind}, b {kind}) returns boolean language plpgsql "
            "as $$ begin raise exception 'the caller''s operator was called'; end $$".encode()
        )
        for operator in ("=", "<>", "<", ">"):
            connection.execute(
                f"create operator evil.{operator} "
                f"(leftarg = {kind}, rightarg = {kind}, function = evil.never)".encode()
            )


def shadowing_functions(connection: Connection) -> None:
    for name, arguments, result in (
        ("format", "text, variadic text[]", "text"),
        ("to_json", "text", "json"),
        ("to_jsonb", "text[]", "jsonb"),
        ("sha256", "bytea", "bytea"),
        ("encode", "bytea, text", "text"),
        ("octet_length", "text", "integer"),
        ("gen_random_uuid", "", "uuid"),
        ("clock_timestamp", "", "timestamptz"),
        ("array_position", "text[], text", "integer"),
        ("set_bit", "bytea, bigint, integer", "bytea"),
        ("to_char", "timestamp, text", "text"),
        ("pg_has_role", "name, name, text", "boolean"),
    ):
        connection.execute(
            f"create function evil.{name}({arguments}) returns {result} language plpgsql "
            "as $$ begin raise exception 'the caller''s function was called'; end $$".encode()
        )


def shadowing_tables(connection: Connection) -> None:
    for name in [*TABLES, "pg_roles", "pg_class"]:
        connection.execute(f"create temp table {name} (session_id uuid, seq bigint)".encode())


@pytest.mark.parametrize(
    "shadow", [shadowing_operators, shadowing_functions, shadowing_tables], ids=lambda f: f.__name__
)
def test_a_callers_own_names_change_nothing(
    logins: Connection, shadow: Callable[[Connection], None]
) -> None:
    plain = Session(logins)
    plain.eliminate("a", "x")
    logins.execute("create schema evil")
    logins.execute("grant usage on schema evil to public")
    logins.execute("set search_path = evil, pg_temp, pg_catalog, cmbs_store")
    shadow(logins)
    logins.execute("grant cmbs_policy to login_cmbs_agent")
    with logged_in(logins, "cmbs_agent"):
        session = Session(logins, policy=Json({"validate_hypotheses": True}))
        session.eliminate("a")
        session.enter("o", 9)
        session.waive("o")
        session.conclude()
        session.terminate()
        session.batch(message("b"))
        whole = session("verify")
        events = session.events()
    logins.execute("reset search_path")
    assert whole["ok"] is True
    assert len(events) == 7
    assert session.is_whole()
    assert events[1]["survivors_after_hash"] == plain.snapshot()["survivors_hash"]


def test_a_refused_call_says_nothing_of_the_store(tx: Connection) -> None:
    session = Session(tx)
    error = refused(tx, errors.EventNotFound, "query_belief", session_id=session.id, as_of=NO_EVENT)
    assert "cmbs_store" not in str(error.diag.message_primary) + str(error.diag.message_detail)
