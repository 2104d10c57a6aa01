-- Proposals and claims are decided here: reasons, the state beside the belief, what was deferred.
--
-- The log of a session is the truth here, too: every row of a session's table below follows from
-- one event of the log, by `cmbs_store.event_rows`, and `cmbs.verify` compares them. Nothing is
-- updated. What has a history (state, spending, the pack in force) is kept by the number of the
-- event that wrote it, so a decision can be taken again as of any event.

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

-- The members that a record of it has beside the verdict, under the same names.
create type cmbs_store.verdict_input as (
    v numeric,
    request_id text,
    roles jsonb,
    decided_at text,
    clock text,
    halt text,
    is_full boolean,
    is_token_shown boolean,
    token_id text,
    proposal jsonb,
    resumes jsonb,
    retries jsonb,
    claim jsonb,
    promotes text,
    claim_id text
);
comment on type cmbs_store.verdict_input is
'What a verdict is given: who proposes what with which roles and token, when, and what it goes on '
'with.';

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
),
(
    'DEFER_EXHAUSTED', 2, 'session', 'block',
    'The proposal was deferred and tried again as often as the policy lets it be.'
),
(
    'APPROVAL_NOT_ASKED', 11, 'approval', 'block',
    'The proposal opened no question, so there is no approval to go on with.'
),
('APPROVAL_PENDING', 11, 'approval', 'block', 'The question has no answer yet; silence is none.'),
(
    'APPROVAL_ACTION_MISMATCH', 11, 'approval', 'block',
    'What was sent is not what the question was about, to the last character.'
),
('APPROVAL_CONSUMED', 11, 'approval', 'block', 'The approval was used.'),
('APPROVAL_DECLINED', 11, 'approval', 'block', 'The question was answered with no.'),
('APPROVAL_CANCELLED', 11, 'approval', 'block', 'The question was withdrawn without an answer.'),
('APPROVAL_EXPIRED', 11, 'approval', 'block', 'The question, and an answer to it, ran out.'),
(
    'APPROVAL_SUPERSEDED', 11, 'approval', 'block',
    'A constraint that the approval would waive was changed after it was asked for.'
),
(
    'APPROVAL_OWN_REQUEST', 11, 'approval', 'block',
    'Who proposes an action cannot answer the question about it.'
),
(
    'APPROVAL_HOLDER_MISMATCH', 11, 'approval', 'block',
    'Only who proposed an action can go on with it.'
),
('APPROVAL_RESOLVED', 11, 'approval', 'block', 'The question has another answer already.'),
(
    'PERMIT_SAME_TRANSACTION', 12, 'execution', 'block',
    'A permit counts in a later transaction than the decision that gave it.'
),
(
    'PERMIT_HOLDER_MISMATCH', 12, 'execution', 'block',
    'The permit is of another agent, or another principal began its execution.'
),
('PERMIT_USED', 12, 'execution', 'block', 'The execution of the permit was begun before.'),
('PERMIT_EXPIRED', 12, 'execution', 'block', 'The permit ran out before it was used.'),
('PERMIT_NOT_BEGUN', 12, 'execution', 'block', 'The execution of the permit was not begun.'),
(
    'PERMIT_COMPLETED', 12, 'execution', 'block',
    'The execution of the permit has ended with another outcome.'
);

create type cmbs_store.evidence as (
    tools jsonb,
    definitions jsonb,
    schemas jsonb,
    documents jsonb,
    entries cmbs_store.policy_entry[],
    values jsonb,
    reads jsonb
);
comment on type cmbs_store.evidence is
'What a verdict rests on: tools, schemas, constraints, and the values that they read.';

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

create table cmbs_store.deferral (
    session_id uuid not null,
    deferral_id uuid not null,
    seq bigint not null,
    attempt integer not null,
    keys text[] collate "C" not null,
    next_at timestamptz,
    constraint deferral_seq_pk primary key (session_id, deferral_id, seq)
);
comment on table cmbs_store.deferral is
'session: every try of a deferred proposal; the last one waits for the keys, or until next_at.';

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
