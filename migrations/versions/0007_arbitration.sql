-- Arbitration: what policy is, what it reads, and what a session holds beside its belief.
--
-- The log of a session is the truth here, too: every row of a session's table below follows from
-- one event of the log, by `cmbs_store.projection`, and `cmbs.verify` compares them. Nothing is
-- updated. What has a history (state, spending, the pack in force) is kept by the number of the
-- event that wrote it, so a decision can be taken again as of any event.
--
-- Packs, tools and schemas are addressed by their content; names and versions point at it.

create type cmbs_store.reason as (
    item_no integer,
    stage text,
    code text,
    key text,
    disposition text,
    detail text
);
comment on type cmbs_store.reason is
'A check that failed: where, why, and what follows; item_no is null where all items are meant.';

create table cmbs_store.reason_code (
    code text collate "C" not null,
    stage_no integer not null,
    stage text collate "C" not null,
    disposition text collate "C" not null,
    description text collate "C" not null,
    constraint reason_code_code_pk primary key (code),
    constraint reason_code_disposition_check
    check (disposition in ('execute', 'block', 'ask', 'defer', 'degrade', 'on_fail'))
);
comment on table cmbs_store.reason_code is
'reference: why something was decided; on_fail: as the constraint that failed says.';
insert into cmbs_store.reason_code (code, stage_no, stage, disposition, description)
values
('ALLOWED', 0, 'none', 'execute', 'Every check passed.'),
(
    'IDEMPOTENCY_REQUIRED', 1, 'idempotency', 'block',
    'A call of a tool that changes something needs an idempotency key.'
),
(
    'IDEMPOTENCY_MISMATCH', 1, 'idempotency', 'block',
    'The idempotency key was used for other items.'
),
('SNAPSHOT_UNKNOWN', 2, 'session', 'block', 'The state snapshot is no event of this session.'),
(
    'SNAPSHOT_STALE', 2, 'session', 'defer',
    'State, belief or policy changed after the snapshot; read again and propose again.'
),
('POLICY_UNAVAILABLE', 2, 'session', 'block', 'The policy pack of the session cannot be read.'),
(
    'NAMESPACE_FORBIDDEN', 3, 'authority', 'block',
    'The roles of the proposer do not let it write here, or call tools.'
),
('NAMESPACE_UNKNOWN', 3, 'authority', 'block', 'The key is not one of goal.* or fact.*.'),
('TOKEN_MISSING', 4, 'token', 'block', 'No capability token was shown.'),
('TOKEN_UNKNOWN', 4, 'token', 'block', 'The capability token is not one of this session.'),
(
    'TOKEN_HOLDER_MISMATCH', 4, 'token', 'block',
    'The capability token belongs to another principal.'
),
(
    'TOKEN_REVOKED', 4, 'token', 'block',
    'The capability token, or one that it was made from, is revoked.'
),
('TOKEN_NOT_YET_VALID', 4, 'token', 'block', 'The capability token is not valid yet.'),
('TOKEN_EXPIRED', 4, 'token', 'block', 'The capability token has expired.'),
(
    'SCOPE_NOT_ALLOWED', 4, 'token', 'block',
    'The capability token does not name this tool, key or capability.'
),
(
    'RESOURCE_OUT_OF_SCOPE', 4, 'token', 'block',
    'A path or host in the arguments lies outside of the roots of the token.'
),
(
    'BUDGET_EXHAUSTED', 4, 'token', 'block',
    'The token, or one that it was made from, has not enough budget left; past a soft limit an '
    'attenuated token is offered.'
),
(
    'ATTENUATION_WIDENS', 4, 'token', 'block',
    'A token may only be made narrower than the one that it is made from.'
),
(
    'APPROVAL_REQUIRED', 4, 'token', 'ask',
    'The capability token takes a person''s approval for each call.'
),
('TOOL_UNKNOWN', 5, 'schemas', 'block', 'The tool is not registered.'),
('TOOL_WITHDRAWN', 5, 'schemas', 'block', 'The tool was withdrawn.'),
(
    'ARGS_SCHEMA_INVALID', 5, 'schemas', 'block',
    'The arguments do not conform to the schema of the tool.'
),
('VALUE_NOT_JSON', 5, 'schemas', 'block', 'The value is not the text of a JSON object.'),
('VALUE_VERSION_INVALID', 5, 'schemas', 'block', 'The value has no member v that is 1.'),
('DUPLICATE_JSON_KEY', 5, 'schemas', 'block', 'The value has a member twice.'),
(
    'KEY_PREFIX_CONFLICT', 5, 'schemas', 'block',
    'The key begins with another key, or another begins with it.'
),
(
    'CLAIM_NOT_CONFIRMED', 5, 'schemas', 'defer',
    'The claim is not confirmed; only a hypothesis or a derived claim may be that.'
),
(
    'CLAIM_TTL_REQUIRED', 5, 'schemas', 'block',
    'A claim that is not confirmed needs ttl_ms or review_at.'
),
(
    'CLAIM_NEW_EVIDENCE_REQUIRED', 5, 'schemas', 'defer',
    'A promotion needs a confirmation or a source that was not cited before.'
),
('CONSTRAINT_DENIED', 6, 'constraints', 'on_fail', 'A constraint that denies fires.'),
('CONSTRAINT_MALFORMED', 6, 'constraints', 'block', 'A constraint that applies is malformed.'),
(
    'CONSTRAINT_UNKNOWN', 6, 'constraints', 'on_fail',
    'A constraint that denies cannot be decided, and so it fires.'
),
('NO_APPLICABLE_ALLOW', 6, 'constraints', 'on_fail', 'No constraint that allows is satisfied.'),
('POLICY_INCOMPLETE', 6, 'constraints', 'block', 'A constraint that the pack requires is missing.'),
('GOAL_CONFLICT', 7, 'conflicts', 'defer', 'An active goal excludes this one.'),
('WRITE_WRITE_CONFLICT', 7, 'conflicts', 'block', 'Two items write the same key.'),
(
    'INVARIANT_VIOLATED', 8, 'invariants', 'block',
    'An invariant would not hold, or cannot be decided, afterwards.'
),
('COOLDOWN_ACTIVE', 9, 'scheduler', 'defer', 'The cooldown has not passed.'),
('MODE_FORBIDS', 9, 'scheduler', 'block', 'The mode forbids this class of effects.'),
('CLARIFICATION_BUDGET_EXHAUSTED', 9, 'scheduler', 'block', 'No more questions may be asked.'),
(
    'EVALUATION_ERROR', 10, 'evaluation', 'block',
    'The decision could not be taken; nothing is permitted by an error.'
);

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

create type cmbs_store.ground as (
    tools jsonb,
    definitions jsonb,
    schemas jsonb,
    documents jsonb,
    entries cmbs_store.policy_entry[],
    world jsonb,
    reads jsonb
);
comment on type cmbs_store.ground is
'What a verdict rests on: tools, schemas, constraints, and the values that they read.';

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

create table cmbs_store.proposal (
    session_id uuid not null,
    seq bigint not null,
    actor text collate "C" not null,
    idempotency_key text collate "C",
    content_hash bytea not null,
    decision text collate "C" not null,
    disposition text collate "C" not null,
    reason_code text collate "C" not null,
    constraint proposal_seq_pk primary key (session_id, seq)
);
create index proposal_idempotency_key_idx
on cmbs_store.proposal (session_id, actor, idempotency_key, seq)
where idempotency_key is not null;
comment on table cmbs_store.proposal is
'session: every proposal and what was decided; all of it stands in the record of its event.';

create table cmbs_store.state_delta (
    session_id uuid not null,
    seq bigint not null,
    item_no integer not null,
    delta_no bigint not null,
    patch text collate "C" not null,
    s_core real[],
    constraint state_delta_item_no_pk primary key (session_id, seq, item_no)
);
comment on table cmbs_store.state_delta is
'session: every change of the state that was committed.';

create table cmbs_store.state_value (
    session_id uuid not null,
    key text collate "C" not null,
    seq bigint not null,
    value text collate "C",
    constraint state_value_seq_pk primary key (session_id, key, seq)
);
comment on table cmbs_store.state_value is
'session: the values of each key with the event that wrote them; null: deleted.';

create table cmbs_store.state_checkpoint (
    session_id uuid not null,
    delta_no bigint not null,
    seq bigint not null,
    f_sparse text collate "C" not null,
    s_core real[],
    constraint state_checkpoint_delta_no_pk primary key (session_id, delta_no)
);
comment on table cmbs_store.state_checkpoint is
'session: the whole state after every hundredth delta.';

create table cmbs_store.capability_token (
    session_id uuid not null,
    token_id uuid not null,
    seq bigint not null,
    parent_id uuid,
    chain uuid[] not null,
    holder text collate "C" not null,
    tools text[] collate "C" not null,
    capabilities text[] collate "C" not null,
    state_prefixes text[] collate "C" not null,
    resource_roots text[] collate "C" not null,
    budgets jsonb not null,
    valid_from timestamptz not null,
    expires_at timestamptz not null,
    approval text collate "C" not null,
    secret_hash bytea not null,
    constraint capability_token_token_id_pk primary key (session_id, token_id)
);
create unique index capability_token_secret_hash_key
on cmbs_store.capability_token (session_id, secret_hash);
comment on table cmbs_store.capability_token is
'session: what a principal may propose; chain is the token itself and all that it was made from.';

create table cmbs_store.capability_revocation (
    session_id uuid not null,
    token_id uuid not null,
    seq bigint not null,
    constraint capability_revocation_token_id_pk primary key (session_id, token_id)
);
comment on table cmbs_store.capability_revocation is
'session: tokens that count no more, nor do those that were made from them.';

create table cmbs_store.capability_spending (
    session_id uuid not null,
    token_id uuid not null,
    unit text collate "C" not null,
    seq bigint not null,
    amount bigint not null,
    spent bigint not null,
    constraint capability_spending_seq_pk primary key (session_id, token_id, unit, seq)
);
comment on table cmbs_store.capability_spending is
'session: what was spent of the budget of a token, with the sum so far.';

create table cmbs_store.interrupt (
    session_id uuid not null,
    interrupt_id uuid not null,
    seq bigint not null,
    item_no integer not null,
    action_digest bytea not null,
    constraint_keys text[] collate "C" not null,
    expires_at timestamptz not null,
    constraint interrupt_interrupt_id_pk primary key (session_id, interrupt_id)
);
comment on table cmbs_store.interrupt is
'session: questions that a person has to answer before an action may be proposed again.';

create table cmbs_store.claim (
    session_id uuid not null,
    claim_id uuid not null,
    seq bigint not null,
    key text collate "C" not null,
    kind text collate "C" not null,
    value jsonb not null,
    confidence numeric(6, 5) not null,
    source_chunk_ids text[] collate "C" not null,
    confirmed_by_event_id uuid,
    is_confirmed boolean not null,
    conflict_state text collate "C" not null,
    expires_at timestamptz,
    review_at timestamptz,
    promotes uuid,
    constraint claim_claim_id_pk primary key (session_id, claim_id)
);
create index claim_key_idx on cmbs_store.claim (session_id, key, seq);
create index claim_promotes_idx on cmbs_store.claim (session_id, promotes)
where promotes is not null;
comment on table cmbs_store.claim is
'session: what was claimed, on which evidence, and whether that confirms it.';

create table cmbs_store.claim_confirmation (
    session_id uuid not null,
    seq bigint not null,
    key text collate "C" not null,
    value_digest bytea not null,
    constraint claim_confirmation_seq_pk primary key (session_id, seq)
);
comment on table cmbs_store.claim_confirmation is
'session: what an approver confirmed: a key with the digest of its value.';

-- These two are a cache over the log, filled by proposals whose policy reads what it tells: whose
-- eliminations nobody else has asked for. `cmbs.verify` compares it with the log as well.
create table cmbs_store.elimination_claimant (
    session_id uuid not null,
    hypothesis_id text collate "C" not null,
    actor text collate "C" not null,
    seq bigint not null,
    other_seq bigint,
    constraint elimination_claimant_hypothesis_id_pk primary key (session_id, hypothesis_id)
) with (fillfactor = 80);
create index elimination_claimant_actor_idx
on cmbs_store.elimination_claimant (session_id, actor) where other_seq is null;
comment on table cmbs_store.elimination_claimant is
'session: who first asked for an elimination, and when somebody else did; counted up to a seq.';

create table cmbs_store.elimination_count (
    session_id uuid not null,
    counted_seq bigint not null,
    constraint elimination_count_session_id_pk primary key (session_id)
);
comment on table cmbs_store.elimination_count is
'session: up to which event the claimants of eliminations were counted.';

create function cmbs_store.digest_v1(p_text text)
returns bytea
language sql
stable
parallel safe
return sha256(convert_to(p_text, 'UTF8'));
comment on function cmbs_store.digest_v1(text) is
'sha-256 over the bytes of a canonical text: of a policy, a tool, a schema, an item, a value.';
revoke all on function cmbs_store.digest_v1(text) from public;
grant execute on function cmbs_store.digest_v1(text) to cmbs_kernel;

-- A declare may name a policy pack now.
set local client_min_messages = 'warning';
drop function if exists cmbs.declare_session(
    uuid, json, text[], json, json, text, boolean, bytea
);
drop function if exists cmbs_store.verify_session(uuid, bytea);
drop function if exists cmbs_store.recorded_declare(
    cmbs_store.session, jsonb, bytea, text, text
);
