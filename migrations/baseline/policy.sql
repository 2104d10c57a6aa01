-- Packs, the tools and schemas that they name, and what a session has in force.
--
-- Content is addressed by its hash; names and versions point at it.

create table cmbs_store.policy (
    policy_hash bytea not null,
    n_entries integer not null,
    settings jsonb not null,
    missing_constraints text[] collate "C" not null,
    constraint policy_policy_hash_pk primary key (policy_hash)
);
comment on table cmbs_store.policy is
'reference: the content of policy packs by its sha-256; settings are the policy.* entries.';

-- Members carry no foreign key, as those of a universe: written with their policy, by one function.
create table cmbs_store.policy_entry (
    policy_hash bytea not null,
    key text collate "C" not null,
    value text collate "C" not null,
    value_hash bytea not null,
    subject text collate "C",
    effect text collate "C",
    on_fail text collate "C",
    condition jsonb,
    reads text[] collate "C",
    schemas text[] collate "C",
    reason text collate "C",
    fault text collate "C",
    constraint policy_entry_key_pk primary key (policy_hash, key)
);
create index policy_entry_subject_idx
on cmbs_store.policy_entry (policy_hash, subject) where subject is not null;
comment on table cmbs_store.policy_entry is
'reference: the entries of a policy; of constraints also what was read out of their text.';

create table cmbs_store.policy_version (
    tenant text collate "C" not null,
    pack text collate "C" not null,
    version integer not null,
    policy_hash bytea not null,
    fixtures text collate "C" not null,
    published_at timestamptz not null,
    published_by text collate "C" not null,
    constraint policy_version_version_pk primary key (tenant, pack, version),
    constraint policy_version_version_check check (version >= 1),
    constraint policy_version_policy_hash_fk
    foreign key (policy_hash) references cmbs_store.policy (policy_hash)
);
create index policy_version_policy_hash_idx on cmbs_store.policy_version (policy_hash);
comment on table cmbs_store.policy_version is
'reference: the versions of policy packs, for ever; * holds the packs that every tenant may use.';

create table cmbs_store.policy_halt (
    tenant text collate "C" not null,
    halt_no integer not null,
    is_halted boolean not null,
    reason text collate "C" not null,
    set_at timestamptz not null,
    set_by text collate "C" not null,
    constraint policy_halt_halt_no_pk primary key (tenant, halt_no)
);
comment on table cmbs_store.policy_halt is
'reference: the kill switch; of a tenant, and of *, the highest number counts.';

create table cmbs_store.policy_pin (
    session_id uuid not null,
    seq bigint not null,
    pack text collate "C" not null,
    version integer not null,
    policy_hash bytea not null,
    constraint policy_pin_seq_pk primary key (session_id, seq)
);
comment on table cmbs_store.policy_pin is
'session: which policy is in force from an event on; deny-all where there is none.';

create table cmbs_store.shadow_pin (
    session_id uuid not null,
    seq bigint not null,
    pack text collate "C" not null,
    version integer not null,
    policy_hash bytea not null,
    constraint shadow_pin_seq_pk primary key (session_id, seq)
);
comment on table cmbs_store.shadow_pin is
'session: the policy that is asked beside the one that the same event put in force.';

create table cmbs_store.session_mode (
    session_id uuid not null,
    seq bigint not null,
    mode text collate "C" not null,
    constraint session_mode_seq_pk primary key (session_id, seq)
);
comment on table cmbs_store.session_mode is
'session: the mode in force from an event on; normal where there is none.';

create table cmbs_store.schema_document (
    schema_hash bytea not null,
    document text collate "C" not null,
    constraint schema_document_schema_hash_pk primary key (schema_hash)
);
comment on table cmbs_store.schema_document is
'reference: JSON Schemas by the sha-256 of their canonical text.';

create table cmbs_store.json_schema (
    tenant text collate "C" not null,
    schema_id text collate "C" not null,
    schema_hash bytea not null,
    registered_at timestamptz not null,
    registered_by text collate "C" not null,
    constraint json_schema_schema_id_pk primary key (tenant, schema_id),
    constraint json_schema_schema_hash_fk
    foreign key (schema_hash) references cmbs_store.schema_document (schema_hash)
);
create index json_schema_schema_hash_idx on cmbs_store.json_schema (schema_hash);
comment on table cmbs_store.json_schema is
'reference: the names of JSON Schemas, for ever.';

create table cmbs_store.tool_definition (
    tool_hash bytea not null,
    definition text collate "C" not null,
    constraint tool_definition_tool_hash_pk primary key (tool_hash)
);
comment on table cmbs_store.tool_definition is
'reference: definitions of tools by the sha-256 of their canonical text.';

create table cmbs_store.tool_registration (
    tenant text collate "C" not null,
    tool_id text collate "C" not null,
    registration_no integer not null,
    tool_hash bytea,
    registered_at timestamptz not null,
    registered_by text collate "C" not null,
    constraint tool_registration_registration_no_pk
    primary key (tenant, tool_id, registration_no),
    constraint tool_registration_tool_hash_fk
    foreign key (tool_hash) references cmbs_store.tool_definition (tool_hash)
);
create index tool_registration_tool_hash_idx on cmbs_store.tool_registration (tool_hash);
comment on table cmbs_store.tool_registration is
'reference: which definition a tool has; the highest number counts, and null withdraws it.';
