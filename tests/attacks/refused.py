"""Attacks that PostgreSQL or the kernel refuses: what is tried, by whom, and the SQLSTATE."""

from typing import NamedTuple

DENIED, UNKNOWN_CALLER, FORBIDDEN, NO_SESSION = "42501", "MB301", "MB302", "MB001"
NO_INCIDENT = "MB013"
ALL = ("agent", "auditor", "analyst", "admin", "server", "createrole")
# Those whom the kernel lets in as somebody.
REGISTERED = ("agent", "auditor", "analyst", "admin")
READERS = ("auditor", "analyst")


# What somebody was asked about in alpha's own session, and what nobody was.
_ASKED = (
    '{"items": [{"kind": "tool_call", "tool_id": "alpha\'\'s own asked", "args": {}, '
    '"artifacts": {"alpha\'\'s own": "alpha\'\'s own"}}]}'
)
_OTHER = _ASKED.replace('"args": {}', '"args": {"more": 1}')


class Refused(NamedTuple):
    """The statements are one attack; the last of them is refused."""

    key: str
    actors: tuple[str, ...]
    sqlstate: str
    statements: tuple[str, ...]


def _denied(key: str, *statements: str, by: tuple[str, ...] = ALL) -> Refused:
    return Refused(key, by, DENIED, statements)


def _by_token(key: str, statement: str, sqlstate: str = FORBIDDEN) -> Refused:
    return Refused(key, ("token",), sqlstate, (statement,))


ON_TABLES = [
    _denied("update the log", "update cmbs_store.audit_event set record = ''"),
    _denied("delete from the log", "delete from cmbs_store.audit_event"),
    _denied("insert into the log", "insert into cmbs_store.audit_event default values"),
    _denied("truncate the log", "truncate cmbs_store.audit_event cascade"),
    _denied("merge into the log", "merge into cmbs_store.audit_event as e using (select 1) as s "
            "on true when matched then delete"),
    _denied("update through a view", "update cmbs.session set tenant = 'beta'"),
    _denied("delete through a view", "delete from cmbs.identity_event"),
    _denied("bring a hypothesis back", "delete from cmbs_store.tombstone"),
    _denied("move a session to another tenant", "update cmbs_store.session set tenant = 'alpha'"),
    _denied("un-revoke a token", "update cmbs_store.api_token set revoked_at = null"),
    _denied("give oneself roles", "update cmbs_store.principal set roles = '{admin}'"),
    _denied("insert a principal", "insert into cmbs_store.principal default values"),
    _denied("replay an identity event", "insert into cmbs_store.identity_event "
            "select * from cmbs_store.identity_event"),
    _denied("delete identity events", "delete from cmbs_store.identity_event"),
    _denied("turn the head of identities back", "update cmbs_store.identity_head set seq = 0"),
    _denied("read the digests of tokens", "select * from cmbs_store.api_token"),
    _denied("change an entry of a policy", "update cmbs_store.policy_entry set effect = 'allow'"),
    _denied("take a policy back", "delete from cmbs_store.policy_version"),
    _denied("switch the kill switch off", "delete from cmbs_store.policy_halt"),
    _denied("let another definition of a tool count",
            "insert into cmbs_store.tool_registration default values"),
    _denied("write a fact past the policy",
            "insert into cmbs_store.state_value select * from cmbs_store.state_value"),
    _denied("give a capability token more budget",
            "update cmbs_store.capability_token set budgets = '{}'"),
    _denied("un-revoke a capability token", "delete from cmbs_store.capability_revocation"),
    _denied("spend nothing", "update cmbs_store.capability_spending set spent = 0"),
    _denied("confirm a claim", "update cmbs_store.claim set is_confirmed = true"),
    _denied("give oneself a permit", "insert into cmbs_store.permit default values"),
    _denied("let a permit last", "update cmbs_store.permit set expires_at = 'infinity'"),
    _denied("execute a call twice", "delete from cmbs_store.permit_begin"),
    _denied("take the end of an execution back", "delete from cmbs_store.permit_end"),
    _denied("answer a question by hand",
            "insert into cmbs_store.interrupt_resolution default values"),
    _denied("use an approval twice", "delete from cmbs_store.interrupt_use"),
    _denied("let a deferral try for ever", "update cmbs_store.deferral set attempt = 0"),
    _denied("leave a mode", "delete from cmbs_store.session_mode"),
    _denied("forget that the clock was set back", "delete from cmbs_store.clock_step"),
    _denied("take a shadow away", "delete from cmbs_store.shadow_pin"),
    _denied("hide a question from the inbox", "update cmbs_store.open_item set is_open = false"),
    _denied("read the secrets of webhooks", "select secret from cmbs_store.webhook"),
    _denied("let a webhook go elsewhere", "insert into cmbs_store.webhook default values"),
    _denied("keep messages from being told",
            "update cmbs_store.webhook_message set state = 'delivered'"),
    _denied("change a node of the graph", "update cmbs_store.graph_node set label = ''"),
    _denied("take an edge out of the graph", "delete from cmbs_store.graph_edge"),
    _denied("turn the version of the graph back", "update cmbs_store.graph_head set version = 0"),
    _denied("pin an incident to another version", "update cmbs_store.incident set version = 2"),
    _denied("take a tombstone back", "delete from cmbs_store.node_tombstone"),
    _denied("say that somebody else ruled it out",
            "update cmbs_store.incident_event set source_id = 'x'"),
    _denied("let a mirror go elsewhere", "insert into cmbs_store.tee_mirror default values"),
    _denied("keep a Tee from being told",
            "update cmbs_store.tee_message set state = 'delivered'"),
    _denied("take a session out of the mirror",
            "update cmbs_store.session set is_mirrored = false"),
    _denied("read the digests of capability tokens", "select * from cmbs_store.capability_token"),
    _denied("read a table", "select * from cmbs_store.session"),
    _denied("lock a table", "begin", "lock table cmbs_store.audit_event in exclusive mode"),
    _denied("lock a view against writers", "begin", "lock table cmbs.session in exclusive mode"),
    _denied("copy from", "copy cmbs_store.audit_event from stdin"),
    _denied("copy to", "copy (select * from cmbs_store.audit_event) to stdout"),
    _denied("copy to a program", "copy (select 1) to program 'cat > /tmp/stolen'"),
    _denied("copy from a program", "copy cmbs_store.universe from program 'id'"),
    _denied("copy to a file", "copy (select 1) to '/tmp/stolen'"),
    _denied("read a file", "select pg_read_file('postgresql.conf')"),
    _denied("list a directory", "select pg_ls_dir('.')"),
    _denied("import a large object from a file", "select lo_import('/etc/passwd')"),
    _denied("export a large object to a file", "select lo_export(1, '/tmp/stolen')"),
    _denied("read statistics of columns", "select * from pg_statistic"),
]  # fmt: skip

ON_SCHEMA = [
    _denied("disable a trigger", "alter table cmbs_store.audit_event disable trigger all"),
    _denied("drop a trigger", "drop trigger audit_event_append_only on cmbs_store.audit_event"),
    _denied("add a trigger", "create trigger t before insert on cmbs_store.audit_event "
            "execute function suppress_redundant_updates_trigger()"),
    _denied("add a rule", "create rule r as on insert to cmbs_store.tombstone do instead nothing"),
    _denied("add a row policy", "create policy p on cmbs_store.session"),
    _denied("switch row policies on", "alter table cmbs_store.session enable row level security"),
    _denied("add a child table", "create table public.c () inherits (cmbs_store.conclusion)"),
    _denied("attach a partition", "alter table cmbs_store.audit_event attach partition "
            "cmbs_store.tombstone default"),
    _denied("add an index", "create index i on cmbs_store.session (tenant)"),
    _denied("add statistics", "create statistics cmbs.s on tenant, mask from cmbs_store.session"),
    _denied("rename a table", "alter table cmbs_store.session rename to s"),
    _denied("rename a column", "alter table cmbs_store.session rename tenant to t"),
    _denied("rename a function", "alter function cmbs.verify(uuid, bytea) rename to v"),
    _denied("rename a schema", "alter schema cmbs_store rename to s"),
    _denied("move a table to another schema", "alter table cmbs_store.session set schema public"),
    _denied("move a function to another schema",
            "alter function cmbs.verify(uuid, bytea) set schema public"),
    _denied("take a table", "alter table cmbs_store.session owner to current_user"),
    _denied("drop a function", "drop function cmbs.verify(uuid, bytea)"),
    _denied("replace a function", "create or replace function cmbs.revision(p_credential bytea "
            "default null) returns text language sql as 'select 1::text'"),
    _denied("make a function run as its caller",
            "alter function cmbs.verify(uuid, bytea) security invoker"),
    _denied("set the search path of a function",
            "alter function cmbs.verify(uuid, bytea) set search_path = public"),
    _denied("replace a view", "create or replace view cmbs.chain_head as select 1 as session_id"),
    _denied("take a view's barrier away", "alter view cmbs.session reset (security_barrier)"),
    _denied("grant oneself a table", "grant all on cmbs_store.session to current_user"),
    _denied("grant oneself a function", "grant execute on function "
            "cmbs_store.authorize(bytea, text, text[]) to current_user"),
    _denied("default privileges", "alter default privileges for role cmbs_owner "
            "grant all on tables to public"),
    _denied("drop what the owner owns", "drop owned by cmbs_owner cascade"),
    _denied("reassign what the owner owns", "reassign owned by cmbs_owner to current_user"),
    _denied("comment on a function", "comment on function cmbs.verify(uuid, bytea) is 'x'"),
]  # fmt: skip

# What would come before ours in a search path, and what runs with the rights of others.
SHADOWS = [
    _denied("shadow a table with a temporary one", "create temp table session ()"),
    _denied("shadow a function with a temporary one", "create function pg_temp.sha256(bytea) "
            "returns bytea language sql as 'select $1'"),
    _denied("make a schema", "create schema mine"),
    _denied("shadow a function in public", "create function public.sha256(bytea) "
            "returns bytea language sql as 'select $1'"),
    _denied("shadow a function in ours", "create function cmbs.verify(text) "
            "returns text language sql as 'select $1'"),
    _denied("wrap a verb with the rights of its definer", "create function public.f() returns json "
            "language sql security definer as 'select cmbs.identify()'"),
    _denied("make a leaky function", "create function public.look(text) returns boolean "
            "cost 0.0001 language plpgsql as 'begin raise notice ''%'', $1; return true; end'"),
    _denied("make an operator", "create operator public.= (leftarg = text, rightarg = text, "
            "function = texteq)"),
    _denied("make a cast", "create cast (text as uuid) with inout as implicit"),
    _denied("make a domain", "create domain public.text as pg_catalog.text"),
    _denied("make a type", "create type public.uuid as (x text)"),
    _denied("make a collation", "create collation public.c from \"C\""),
    _denied("make a conversion", "create default conversion public.c for 'UTF8' to 'LATIN1' "
            "from utf8_to_iso8859_1"),
    _denied("make a language", "create language mine handler plpgsql_call_handler"),
    _denied("hide a function in an extension",
            "alter extension plpgsql add function cmbs.verify(uuid, bytea)"),
    _denied("do in a block what is refused outside",
            "do $$ begin update cmbs_store.session set tenant = 'alpha'; end $$"),
    _denied("call a helper of the kernel", "select cmbs_store.authorize(null, 'x', null)"),
    _denied("append to the log of identities by hand",
            "select cmbs_store.append_identity('alpha', 'CHANGE_PRINCIPAL', 'a', '{}')"),
    _denied("a foreign data wrapper", "create foreign data wrapper w"),
    _denied("an event trigger", "create event trigger e on ddl_command_start "
            "execute function suppress_redundant_updates_trigger()"),
    _denied("a publication", "create publication p for table cmbs_store.audit_event"),
    _denied("a subscription",
            "create subscription s connection '' publication p with (connect = false)"),
    _denied("a replication slot",
            "select pg_create_physical_replication_slot('attacker')"),
]  # fmt: skip

AS_OTHERS = [
    *(
        _denied(f"set role {role}", f"set role {role}")
        for role in ("cmbs_owner", "cmbs_kernel", "postgres")
    ),
    _denied("set session authorization", "set session authorization cmbs_owner"),
    _denied("set local role in a block", "do $$ begin set local role cmbs_kernel; end $$"),
    _denied("switch triggers off", "set session_replication_role = replica"),
    _denied("alter system", "alter system set session_replication_role = replica"),
    _denied("alter the database", "do $$ begin execute format('alter database %I set "
            "search_path = public', current_database()); end $$"),
    _denied("make oneself a superuser", "alter role current_user superuser"),
    _denied("settings of the server's login by an agent",
            "alter role cmbs_server set search_path = public", by=REGISTERED),
    _denied("make a role", "create role another", by=(*REGISTERED, "server")),
    _denied("end somebody else's session", "select pg_terminate_backend(<pid>)"),
    _denied("cancel somebody else's query", "select pg_cancel_backend(<pid>)"),
    _denied("reload settings", "select pg_reload_conf()"),
    _denied("call without any role", "select cmbs.query_belief('<own>')", by=("createrole",)),
    Refused("call as the server without a token", ("server",), UNKNOWN_CALLER,
            ("select cmbs.list_sessions()",)),
    Refused("administer as the server without a token", ("server",), UNKNOWN_CALLER,
            ("select cmbs.create_principal('x', 'agent', '{admin}')",)),
    _denied("views as the server", "select * from cmbs.session", by=("server",)),
    _denied("views as an agent", "select * from cmbs.session", by=("agent",)),
    _denied("administer as an agent's login",
            "select cmbs.create_principal('x', 'agent', '{admin}')", by=("agent", *READERS)),
    _denied("act as a reader", "select cmbs.eliminate('<own>', 's', 'o', '{b}')", by=READERS),
    _denied("rule as an agent's login", "select cmbs.publish_policy('x', '{}')",
            by=("agent", *READERS, "admin")),
    _denied("propose as a reader", "select cmbs.propose('<own>', '{}')", by=(*READERS, "admin")),
    _denied("execute as a reader",
            "select cmbs.begin_execution('<own>', '<own_permit_id>')", by=(*READERS, "admin")),
    _denied("end an execution as a reader", "select cmbs.complete_execution("
            "'<own>', '<own_begun_permit_id>', 'ok')", by=(*READERS, "admin")),
    _denied("go on with a question as a reader", "select cmbs.resume("
            "'<own>', '<own_approved_proposal_id>', '{}')", by=(*READERS, "admin")),
    _denied("answer a question as a reader", "select cmbs.resolve_interrupt("
            "'<own>', '<own_interrupt_id>', 'approve')", by=(*READERS, "admin")),
    Refused("answer a question as an agent's login", ("agent",), FORBIDDEN,
            ("select cmbs.resolve_interrupt('<own>', '<own_interrupt_id>', 'approve')",)),
    _denied("set the mode as an agent's login", "select cmbs.set_mode('<own>', 'boost')",
            by=("agent", *READERS, "admin")),
    _denied("sweep as a reader", "select cmbs.sweep_expired('<own>')", by=(*READERS, "admin")),
    _denied("set a webhook as an agent's login", "select cmbs.set_webhook(null)",
            by=("agent", *READERS)),
    _denied("take what a webhook is to be told", "select cmbs.take_webhooks()",
            by=(*REGISTERED, "createrole")),
    _denied("settle what a webhook is to be told",
            "select cmbs.settle_webhook('<own>', '<own_message_id>')",
            by=(*REGISTERED, "createrole")),
    _denied("merge into the graph as a reader", "select cmbs.merge_hypothesis()",
            by=(*READERS, "admin")),
    _denied("begin an incident as a reader", "select cmbs.create_incident('x')",
            by=(*READERS, "admin")),
    _denied("rule out of an incident as a reader", "select cmbs.merge_node_tombstones("
            "'alpha''s own all', '{a}', 's', 't')", by=(*READERS, "admin")),
    _denied("read a graph as an administrator", "select cmbs.read_main_graph()", by=("admin",)),
    _denied("set a mirror as an agent's login", "select cmbs.set_mirror(null)",
            by=("agent", *READERS)),
    _denied("tell a Tee again as an agent's login", "select cmbs.retry_mirror()",
            by=("agent", *READERS)),
    _denied("take what a Tee is to be told", "select cmbs.take_mirror()",
            by=(*REGISTERED, "createrole")),
    _denied("settle what a Tee is to be told", "select cmbs.settle_mirror('<own_tee>', 1)",
            by=(*REGISTERED, "createrole")),
    _denied("import a log", "select cmbs.import_events('<own>', '{}')"),
    _denied("import a policy", "select cmbs.import_content('policy', '{}')"),
    Refused("the stored hash as a credential", ("server", "agent", "auditor"), UNKNOWN_CALLER,
            ("select cmbs.identify(<stored_hash>)",)),
    Refused("the text of a token as a credential", ("server", "agent"), UNKNOWN_CALLER,
            ("select cmbs.identify(<text_of_token>)",)),
    Refused("a revoked token", ("server", "agent"), UNKNOWN_CALLER,
            ("select cmbs.identify(<revoked>)",)),
    Refused("an empty credential", ("server", "agent"), UNKNOWN_CALLER,
            ("select cmbs.identify('')",)),
    Refused("a token in a transaction that keeps its snapshot", ("server",), FORBIDDEN,
            ("begin isolation level repeatable read", "select cmbs.identify(<agent>)")),
    Refused("a login in a transaction that keeps its snapshot", ("agent",), FORBIDDEN,
            ("begin isolation level repeatable read", "select cmbs.identify()")),
]  # fmt: skip

# Tokens as they come over HTTP: by the login of the server. The admin and auditor are of alpha.
WITH_TOKENS = [
    _by_token("administer by an agent's token",
              "select cmbs.create_principal('x', 'agent', '{admin}', p_credential => <agent>)"),
    _by_token("give oneself roles by an agent's token",
              "select cmbs.change_principal('agent', '{admin}', p_credential => <agent>)"),
    _by_token("waive by an agent's token",
              "select cmbs.waive_obligation('<own>', 'o', 'r', p_credential => <agent>)"),
    _by_token("change defaults by an agent's token",
              "select cmbs.set_policy_defaults('{}', p_credential => <agent>)"),
    _by_token("allow forced termination by an agent's token",
              "select cmbs.declare_session(gen_random_uuid(), <ontology>, '{a}', p_policy => "
              "'{\"allow_forced_termination\": true}', p_credential => <writer>)"),
    _by_token("speak for another source",
              "select cmbs.eliminate('<own>', 'human://ann', 'o', '{a}', p_credential => <agent>)"),
    _by_token("read identities by an agent's token",
              "select cmbs.audit_identities(p_credential => <agent>)"),
    _by_token("act by an auditor's token",
              "select cmbs.eliminate('<own>', 's', 'o', '{a}', p_credential => <auditor>)"),
    _by_token("name another tenant as an auditor",
              "select cmbs.list_principals(p_tenant => 'beta', p_credential => <auditor>)"),
    _by_token("name all tenants as an auditor",
              "select cmbs.audit_identities(p_tenant => '*', p_credential => <auditor>)"),
    _by_token("make a principal of another tenant", "select cmbs.create_principal("
              "'x', 'agent', '{agent}', p_tenant => 'beta', p_credential => <admin>)"),
    _by_token("make a principal of all tenants", "select cmbs.create_principal("
              "'x', 'agent', '{admin}', p_tenant => '*', p_credential => <admin>)"),
    _by_token("make a principal of a login", "select cmbs.create_principal("
              "'bystander', 'human', '{auditor}', p_is_login => true, p_credential => <admin>)"),
    _by_token("make a token of another tenant", "select cmbs.create_token("
              "'agent', sha256('x'), 'cmbs_x', p_tenant => 'beta', p_credential => <admin>)"),
    _by_token("a token for another tenant", "select cmbs.create_token("
              "'agent', sha256('x'), 'cmbs_x', p_scope_tenant => 'beta', p_credential => <admin>)",
              "MB201"),
    _by_token("revoke another tenant's token",
              "select cmbs.revoke_token('<foreign_token>', <admin>)", "MB006"),
    _by_token("rotate another tenant's token", "select cmbs.rotate_token("
              "'<foreign_token>', sha256('x'), 'cmbs_x', p_credential => <admin>)", "MB006"),
    _by_token("bring a revoked token back by rotating it", "select cmbs.rotate_token("
              "'<revoked_token>', sha256('x'), 'cmbs_x', p_credential => <admin>)", "MB102"),
    _by_token("take the name of a login", "select cmbs.create_principal("
              "'attacker_agent', 'agent', '{agent}', p_credential => <admin>)", "MB102"),
    _by_token("take the name of the server", "select cmbs.create_principal("
              "'api', 'agent', '{agent}', p_credential => <admin>)", "MB102"),
    _by_token("publish a policy by an agent's token",
              "select cmbs.publish_policy('x', '{}', p_credential => <agent>)"),
    _by_token("apply a policy by an agent's token",
              "select cmbs.apply_policy('<own>', 'supervised', 1, p_credential => <agent>)"),
    _by_token("use the kill switch by an agent's token",
              "select cmbs.halt_policy(false, 'r', p_credential => <agent>)"),
    _by_token("register a tool by an agent's token",
              "select cmbs.register_tool('x', '{}', p_credential => <agent>)"),
    _by_token("register a schema by an agent's token",
              "select cmbs.register_schema('x', '{}', p_credential => <agent>)"),
    _by_token("issue oneself a capability token", "select cmbs.issue_capability('<own>', "
              "'{\"holder\": \"agent\", \"expires_at\": \"2100-01-01T00:00:00Z\"}', "
              "p_credential => <agent>)"),
    _by_token("make a token of somebody else's capability token",
              "select cmbs.narrow_capability('<own>', '<own_capability_id>', "
              "'{\"holder\": \"agent\"}', p_credential => <agent>)"),
    _by_token("revoke somebody else's capability token", "select cmbs.revoke_capability('<own>', "
              "'<own_capability_id>', p_credential => <agent>)"),
    _by_token("confirm one's own claim", "select cmbs.confirm_claim('<own>', 'k', "
              "repeat('0', 64), p_credential => <writer>)"),
    _by_token("propose as who only rules",
              "select cmbs.propose('<own>', '{}', p_credential => <policy>)"),
    _by_token("speak for another source in a proposal", "select cmbs.propose('<own>', "
              "'{\"state_snapshot_id\": \"<foreign_event>\", \"provenance\": {\"source\": "
              "\"human://ann\"}, \"items\": [{\"kind\": \"tool_call\", \"tool_id\": \"t\"}]}', "
              "p_credential => <agent>)"),
    _by_token("publish a policy of another tenant", "select cmbs.publish_policy("
              "'x', '{}', p_tenant => 'beta', p_credential => <policy>)"),
    _by_token("publish a policy of all tenants", "select cmbs.publish_policy("
              "'x', '{}', p_tenant => '*', p_credential => <policy>)"),
    _by_token("halt another tenant", "select cmbs.halt_policy("
              "true, 'r', p_tenant => 'beta', p_credential => <policy>)"),
    _by_token("halt all tenants", "select cmbs.halt_policy("
              "true, 'r', p_tenant => '*', p_credential => <policy>)"),
    _by_token("take the name of a pack of all tenants", "select cmbs.publish_policy("
              "'deny-all', '{}', p_credential => <policy>)", "MB102"),
    _by_token("apply another tenant's policy", "select cmbs.apply_policy("
              "'<own>', 'beta''s secret pack', 1, p_credential => <policy>)", "MB007"),
    _by_token("read another tenant's policy", "select cmbs.read_policy("
              "'beta''s secret pack', p_credential => <policy>)", "MB007"),
    _by_token("withdraw another tenant's tool", "select cmbs.withdraw_tool("
              "'beta''s secret tool', p_credential => <policy>)", "MB008"),
    _by_token("let another tenant's schema decide", "select cmbs.register_tool("
              "'x', '{\"args_schema\": \"beta''s secret schema\"}', p_credential => <policy>)",
              "MB009"),
    _by_token("read another tenant's schema", "select cmbs.read_schema("
              "'beta''s secret schema', p_credential => <policy>)", "MB009"),
    _by_token("revoke another tenant's capability token", "select cmbs.revoke_capability("
              "'<own>', '<foreign_capability_id>', p_credential => <policy>)", "MB006"),
    _by_token("promote another tenant's claim", "select cmbs.promote_claim("
              "'<own>', '<foreign_claim_id>', p_credential => <writer>)", "MB010"),
    _by_token("explain another tenant's decision", "select cmbs.explain_decision("
              "'<own>', '<foreign_proposal_id>', p_credential => <auditor>)", "MB003"),
    _by_token("answer a question by an agent's token", "select cmbs.resolve_interrupt('<own>', "
              "'<own_interrupt_id>', 'approve', p_credential => <agent>)"),
    _by_token("answer one's own question", "select cmbs.resolve_interrupt('<own>', "
              "'<own_interrupt_id>', 'approve', p_credential => <writer>)"),
    _by_token("execute what one approves", "select cmbs.begin_execution('<own>', "
              "'<own_permit_id>', p_credential => <approver>)"),
    _by_token("execute another's call", "select cmbs.begin_execution('<own>', "
              "'<own_permit_id>', p_credential => <agent>)", "MB102"),
    _by_token("execute a call twice at once", "select cmbs.begin_execution('<own>', "
              "'<own_begun_permit_id>', p_credential => <writer>)", "MB102"),
    _by_token("end another's execution", "select cmbs.complete_execution('<own>', "
              "'<own_begun_permit_id>', 'ok', p_credential => <agent>)", "MB102"),
    _by_token("end what was not begun", "select cmbs.complete_execution('<own>', "
              "'<own_permit_id>', 'ok', p_credential => <writer>)", "MB102"),
    _by_token("use up what was not granted", "select cmbs.complete_execution('<own>', "
              "'<own_begun_permit_id>', 'ok', null, '{\"apples\": 1}', "
              "p_credential => <writer>)", "MB201"),
    _by_token("give budget back by using less than nothing", "select cmbs.complete_execution("
              "'<own>', '<own_begun_permit_id>', 'ok', null, '{\"max_calls\": -9}', "
              "p_credential => <writer>)", "MB201"),
    _by_token("go on with another's question", "select cmbs.resume('<own>', "
              f"'<own_approved_proposal_id>', '{_ASKED}', p_credential => <agent>)", "MB102"),
    _by_token("go on without an answer", "select cmbs.resume('<own>', "
              f"'<own_proposal_id>', '{_ASKED}', p_credential => <writer>)", "MB102"),
    _by_token("go on with something else than was approved", "select cmbs.resume('<own>', "
              f"'<own_approved_proposal_id>', '{_OTHER}', p_credential => <writer>)", "MB102"),
    _by_token("set the mode by an agent's token",
              "select cmbs.set_mode('<own>', 'boost', p_credential => <agent>)"),
    _by_token("sweep by an auditor's token",
              "select cmbs.sweep_expired('<own>', p_credential => <auditor>)"),
    _by_token("set a webhook by an agent's token",
              "select cmbs.set_webhook(null, p_credential => <agent>)"),
    _by_token("set a webhook as who sees one tenant",
              "select cmbs.set_webhook(null, p_credential => <admin>)"),
    _by_token("set a webhook of another tenant",
              "select cmbs.set_webhook(null, p_tenant => 'beta', p_credential => <admin>)"),
    _by_token("set a webhook of all tenants",
              "select cmbs.set_webhook(null, p_tenant => '*', p_credential => <admin>)"),
    _by_token("take what a webhook is to be told by an agent's token",
              "select cmbs.take_webhooks(p_credential => <agent>)"),
    _by_token("take what a webhook is to be told as who sees one tenant",
              "select cmbs.take_webhooks(p_credential => <admin>)"),
    _by_token("settle what another tenant's webhook is to be told", "select cmbs.settle_webhook("
              "'<foreign>', '<foreign_message_id>', p_credential => <admin>)"),
    _by_token("merge into the graph by an auditor's token",
              "select cmbs.merge_hypothesis('[]', '[]', <auditor>)"),
    _by_token("begin an incident by an auditor's token",
              "select cmbs.create_incident('x', p_credential => <auditor>)"),
    _by_token("rule out for another source", "select cmbs.merge_node_tombstones("
              "'alpha''s own all', '{a}', 'human://ann', 't', p_credential => <agent>)"),
    _by_token("rule out edges for another source", "select cmbs.merge_edge_tombstones("
              "'alpha''s own all', '[{\"source\": \"a\", \"target\": \"b\", "
              "\"type\": \"DEPENDS_ON\"}]', 'human://ann', 't', p_credential => <agent>)"),
    _by_token("set a mirror by an agent's token",
              "select cmbs.set_mirror('evil.example.org:1', <agent>)"),
    _by_token("set a mirror as who sees one tenant",
              "select cmbs.set_mirror('evil.example.org:1', <admin>)"),
    _by_token("tell a Tee again as who sees one tenant",
              "select cmbs.retry_mirror('<own_tee>', <admin>)"),
    _by_token("take what a Tee is to be told as who sees one tenant",
              "select cmbs.take_mirror(p_credential => <admin>)"),
    _by_token("settle what a Tee is to be told of another tenant's session",
              "select cmbs.settle_mirror('<foreign_tee>', 1, p_credential => <admin>)"),
    _by_token("look at the mirror as who sees one tenant",
              "select cmbs.read_mirror(<auditor>)"),
    _by_token("read the metrics of all tenants as who sees one",
              "select cmbs.read_metrics(<auditor>)"),
    _by_token("read another tenant's incident",
              "select cmbs.read_incident('beta''s secret all', <auditor>)", NO_INCIDENT),
    _by_token("read what is left of another tenant's incident",
              "select cmbs.read_live_view('beta''s secret all', p_credential => <auditor>)",
              NO_INCIDENT),
    _by_token("read what another tenant's incident has ruled out",
              "select cmbs.read_tombstones('beta''s secret all', <auditor>)", NO_INCIDENT),
    _by_token("rule out of another tenant's incident", "select cmbs.merge_node_tombstones("
              "'beta''s secret all', '{a}', 's', 't', p_credential => <writer>)", NO_INCIDENT),
    _by_token("declare a session from another tenant's incident", "select cmbs.declare_session("
              "gen_random_uuid(), <ontology>, p_universe_from => "
              "'{\"tee_incident\": \"beta''s secret all\"}', p_credential => <writer>)",
              NO_INCIDENT),
    _by_token("take another tenant's incident id", "select cmbs.create_incident("
              "'beta''s secret all', p_credential => <writer>)", "MB102"),
    _by_token("begin an incident over another tenant's nodes", "select cmbs.create_incident("
              "'x', array['beta''s secret later'], p_credential => <writer>)", "MB201"),
    _by_token("answer another tenant's question", "select cmbs.resolve_interrupt('<own>', "
              "'<foreign_interrupt_id>', 'approve', p_credential => <approver>)", "MB012"),
    _by_token("answer a question in another tenant's session", "select cmbs.resolve_interrupt("
              "'<foreign>', '<foreign_interrupt_id>', 'approve', p_credential => <approver>)",
              NO_SESSION),
    _by_token("execute another tenant's call", "select cmbs.begin_execution('<own>', "
              "'<foreign_permit_id>', p_credential => <writer>)", "MB011"),
    _by_token("go on with another tenant's question", "select cmbs.resume('<own>', "
              f"'<foreign_proposal_id>', '{_ASKED}', p_credential => <writer>)", "MB003"),
    _by_token("read another tenant's question", "select cmbs.read_interrupt('<own>', "
              "'<foreign_interrupt_id>', p_credential => <auditor>)", "MB012"),
    _by_token("read another tenant's permit", "select cmbs.read_permit('<own>', "
              "'<foreign_permit_id>', p_credential => <auditor>)", "MB011"),
    _by_token("list another tenant's questions",
              "select cmbs.list_interrupts('<foreign>', p_credential => <auditor>)", NO_SESSION),
    _by_token("list another tenant's deferrals",
              "select cmbs.list_deferrals('<foreign>', p_credential => <auditor>)", NO_SESSION),
    _by_token("sweep another tenant's session",
              "select cmbs.sweep_expired('<foreign>', p_credential => <agent>)", NO_SESSION),
    _by_token("read another tenant's proposals",
              "select cmbs.list_proposals('<foreign>', p_credential => <auditor>)", NO_SESSION),
    _by_token("read another tenant's session",
              "select * from cmbs.query_belief('<foreign>', p_credential => <agent>)", NO_SESSION),
    Refused("read another tenant's session as a login", ("agent", "auditor"), NO_SESSION,
            ("select s.* from (select cmbs.query_belief('<foreign>') as s) as s",)),
    Refused("write to another tenant's session", ("agent",), NO_SESSION,
            ("select cmbs.eliminate('<foreign>', 's', 'o', '{a}')",)),
    Refused("take another tenant's session id", ("agent",), "MB102",
            ("select cmbs.declare_session('<foreign>', <ontology>, '{a}')",)),
]  # fmt: skip

REFUSED = [*ON_TABLES, *ON_SCHEMA, *SHADOWS, *AS_OTHERS, *WITH_TOKENS]
