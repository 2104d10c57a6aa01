-- Who may call, and whose everything is. `*` is no tenant: it stands for all of them.
--
-- The tables of identities are small and read by every verb, so they are reference tables, the same
-- on every node. Unlike the others they have a state: what a principal may do, and whether a token
-- still counts. Each change of it is an event of a log that is chained by hashes, one log for each
-- tenant, and `cmbs.verify_identities` replays them.

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
        roles <@ array[
            'agent', 'encoder', 'tool', 'policy', 'approver', 'auditor', 'admin', 'monitor'
        ]
        and array_position(roles, null) is null
    )
);
create unique index principal_login_key on cmbs_store.principal (name) where is_login;
create index principal_tenant_idx on cmbs_store.principal (tenant, name);
comment on table cmbs_store.principal is
'reference: who may call; a login stands for a role of PostgreSQL, the others hold tokens.';

-- The digest that a caller shows is as good as the token where verbs are called in SQL, so what is
-- stored is the digest of the digest: no dump and no reader of this table can call as its holder.
-- clock_lead_us: by how much the clock had been set back when the token was made.
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
    clock_lead_us bigint not null,
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
