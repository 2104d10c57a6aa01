-- Who may call, and whose everything is.
--
-- Everything that was there before belongs to the tenant `default`; so does all that is made by
-- callers who name no tenant. `*` is no tenant: it stands for all of them.
--
-- The tables of identities are small and read by every verb, so they are reference tables, the same
-- on every node. Unlike the others they have a state: what a principal may do, and whether a token
-- still counts. Each change of it is an event of a log that is chained by hashes, one log for each
-- tenant, and `cmbs.verify_identities` replays them.

-- One statement each, as servers that distribute tables need it.
alter table cmbs_store.session add column tenant text collate "C" not null default 'default';
alter table cmbs_store.session alter column tenant drop default;
alter table cmbs_store.context add column tenant text collate "C" not null default 'default';
alter table cmbs_store.context alter column tenant drop default;
alter table cmbs_store.hypothesis_space
add column tenant text collate "C" not null default 'default';
alter table cmbs_store.hypothesis_space alter column tenant drop default;
alter table cmbs_store.hypothesis_space drop constraint hypothesis_space_id_version_pk;
alter table cmbs_store.hypothesis_space
add constraint hypothesis_space_id_version_pk
primary key (tenant, hypothesis_space_id, hypothesis_version);
alter table cmbs_store.policy_default add column tenant text collate "C" not null default '*';
alter table cmbs_store.policy_default alter column tenant drop default;
alter table cmbs_store.policy_default drop constraint policy_default_default_no_pk;
alter table cmbs_store.policy_default
add constraint policy_default_default_no_pk primary key (tenant, default_no);
comment on table cmbs_store.policy_default is
'reference: what DECLARE_SESSION fills in; of a tenant the highest number counts, then that of *.';

create index session_tenant_idx on cmbs_store.session (tenant, declared_at, session_id);
drop index cmbs_store.session_terminated_idx;
create index session_terminated_idx
on cmbs_store.session (tenant, is_terminated, declared_at, session_id);
drop index cmbs_store.session_space_idx;
create index session_space_idx
on cmbs_store.session (tenant, hypothesis_space_id, declared_at, session_id);

create table cmbs_store.principal (
    tenant text collate "C" not null,
    name text collate "C" not null,
    kind text collate "C" not null,
    is_login boolean not null,
    created_at timestamptz not null,
    roles text[] collate "C" not null,
    source_prefixes text[] collate "C" not null,
    is_enabled boolean not null,
    constraint principal_name_pk primary key (name, tenant),
    constraint principal_kind_check
    check (kind in ('agent', 'encoder', 'tool', 'human', 'service')),
    constraint principal_roles_check
    check (
        roles <@ array['agent', 'encoder', 'tool', 'policy', 'approver', 'auditor', 'admin']
        and array_position(roles, null) is null
    )
);
create unique index principal_login_key on cmbs_store.principal (name) where is_login;
create index principal_tenant_idx on cmbs_store.principal (tenant, name);
comment on table cmbs_store.principal is
'reference: who may call; a login stands for a role of PostgreSQL, the others hold tokens.';

-- The digest that a caller shows is as good as the token where verbs are called in SQL, so what is
-- stored is the digest of the digest: no dump and no reader of this table can call as its holder.
create table cmbs_store.api_token (
    credential_hash bytea not null,
    token_id uuid not null,
    tenant text collate "C" not null,
    name text collate "C" not null,
    prefix text collate "C" not null,
    verbs text[] collate "C",
    scope_tenant text collate "C",
    created_at timestamptz not null,
    created_by text collate "C" not null,
    expires_at timestamptz not null,
    revoked_at timestamptz,
    constraint api_token_credential_hash_pk primary key (credential_hash),
    constraint api_token_principal_fk
    foreign key (name, tenant) references cmbs_store.principal (name, tenant),
    constraint api_token_credential_hash_check check (octet_length(credential_hash) = 32)
);
create unique index api_token_token_id_key on cmbs_store.api_token (token_id);
create index api_token_principal_idx on cmbs_store.api_token (name, tenant);
create index api_token_created_at_idx on cmbs_store.api_token (tenant, created_at, token_id);
comment on table cmbs_store.api_token is
'reference: tokens, by the digest of the digest that their holders show.';

create table cmbs_store.api_token_use (
    token_id uuid not null,
    used_at timestamptz not null,
    constraint api_token_use_token_id_pk primary key (token_id)
);
comment on table cmbs_store.api_token_use is
'reference: when a token was last seen, to the hour.';

create table cmbs_store.identity_event (
    tenant text collate "C" not null,
    seq bigint not null,
    recorded_at timestamptz not null,
    event_hash bytea not null,
    verb text collate "C" not null,
    actor text collate "C" not null,
    record text collate "C" not null,
    constraint identity_event_seq_pk primary key (tenant, seq)
);
comment on table cmbs_store.identity_event is
'reference: the append-only, hash-chained log of every change of an identity, by tenant.';

create table cmbs_store.identity_head (
    tenant text collate "C" not null,
    seq bigint not null,
    event_hash bytea not null,
    recorded_at timestamptz not null,
    constraint identity_head_tenant_pk primary key (tenant)
);
comment on table cmbs_store.identity_head is
'reference: the last event of every log of identities; whoever changes one locks the row of *.';
insert into cmbs_store.identity_head (tenant, seq, event_hash, recorded_at)
values ('*', 0, decode(repeat('00', 32), 'hex'), '-infinity');

-- Members in canonical order: by length of the key, then by its bytes.
create function cmbs_store.identity_record_v1(
    p_tenant text,
    p_seq bigint,
    p_at timestamptz,
    p_verb text,
    p_actor text,
    p_payload text,
    p_previous bytea
)
returns text
language sql
stable
parallel safe
return format(
    '{"v": 1, "ts": "%s", "seq": %s, "verb": "%s", "actor": %s, "tenant": %s, "payload": %s, '
    '"prev_event_hash": "%s"}',
    cmbs_store.timestamp_v1(p_at), p_seq, p_verb, to_json(p_actor), to_json(p_tenant), p_payload,
    encode(p_previous, 'hex')
);
comment on function cmbs_store.identity_record_v1(text, bigint, timestamptz, text, text, text, bytea) is
'The canonical text of one change of an identity.';
revoke all on function cmbs_store.identity_record_v1(text, bigint, timestamptz, text, text, text, bytea) from public;
grant execute on function cmbs_store.identity_record_v1(text, bigint, timestamptz, text, text, text, bytea) to cmbs_kernel;

-- Signatures that have gone: each of these is told now who calls, or for which tenant.
-- A fresh database never had them, and need not say so.
set local client_min_messages = 'warning';
drop function if exists cmbs_store.principal(bytea);
drop function if exists cmbs_store.refuse_principal(bytea);
drop function if exists cmbs_store.check_policy_role();
drop function if exists cmbs_store.lock_session(uuid);
drop function if exists cmbs_store.read_session(uuid);
drop function if exists cmbs_store.read_context(text);
drop function if exists cmbs_store.trace_start(uuid, uuid, integer);
drop function if exists cmbs_store.declared_universe(jsonb, text[]);
drop function if exists cmbs_store.resolve_policy(jsonb);
drop function if exists cmbs_store.new_session(
    uuid, jsonb, bytea, integer, cmbs_store.policy_default, text, timestamptz
);
drop function if exists cmbs_store.import_session(uuid, text, text);
drop function if exists cmbs.import_events(uuid, text, json, bytea);
drop function if exists cmbs.set_policy_defaults(json, bytea);
drop function if exists cmbs.read_space(text, text, bytea);
drop function if exists cmbs_store.eliminate_message(
    uuid, text, text, text, text[], text, uuid, text, boolean
);
