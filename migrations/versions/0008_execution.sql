-- What becomes of a verdict: permits and their use, answers, deferrals, modes, shadows.
--
-- As before, every row of a session's table follows from one event of its log and is never updated;
-- open_item is a cache over them, webhook_message says what has to be told to whom.

insert into cmbs_store.reason_code (code, stage_no, stage, disposition, description)
values
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

create table cmbs_store.permit (
    session_id uuid not null,
    permit_id uuid not null,
    seq bigint not null,
    item_no integer not null,
    tool_id text collate "C" not null,
    actor text collate "C" not null,
    token_id uuid,
    expires_at timestamptz not null,
    constraint permit_permit_id_pk primary key (session_id, permit_id)
);
create index permit_seq_idx on cmbs_store.permit (session_id, seq);
create index permit_tool_id_idx on cmbs_store.permit (session_id, tool_id, seq);
comment on table cmbs_store.permit is
'session: leave to execute one allowed call of a tool, once.';

create table cmbs_store.permit_begin (
    session_id uuid not null,
    permit_id uuid not null,
    seq bigint not null,
    actor text collate "C" not null,
    constraint permit_begin_permit_id_pk primary key (session_id, permit_id)
);
comment on table cmbs_store.permit_begin is
'session: permits whose execution was begun, and by whom; without an end the outcome is not known.';

create table cmbs_store.permit_end (
    session_id uuid not null,
    permit_id uuid not null,
    seq bigint not null,
    status text collate "C" not null,
    result_hash bytea,
    constraint permit_end_permit_id_pk primary key (session_id, permit_id),
    constraint permit_end_status_check check (status in ('committed', 'rolled_back', 'expired'))
);
comment on table cmbs_store.permit_end is
'session: how the execution of permits ended; expired ones were never begun.';

create table cmbs_store.interrupt_resolution (
    session_id uuid not null,
    interrupt_id uuid not null,
    seq bigint not null,
    resolution text collate "C" not null,
    actor text collate "C" not null,
    constraint interrupt_resolution_interrupt_id_pk primary key (session_id, interrupt_id),
    constraint interrupt_resolution_resolution_check
    check (resolution in ('approve', 'decline', 'cancel'))
);
comment on table cmbs_store.interrupt_resolution is
'session: what people answered to questions.';

create table cmbs_store.interrupt_use (
    session_id uuid not null,
    interrupt_id uuid not null,
    seq bigint not null,
    constraint interrupt_use_interrupt_id_pk primary key (session_id, interrupt_id)
);
comment on table cmbs_store.interrupt_use is
'session: approvals that were used, by the proposal that took effect.';

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

create table cmbs_store.session_mode (
    session_id uuid not null,
    seq bigint not null,
    mode text collate "C" not null,
    constraint session_mode_seq_pk primary key (session_id, seq)
);
comment on table cmbs_store.session_mode is
'session: the mode in force from an event on; normal where there is none.';

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

-- A cache, as elimination_claimant is one: what the tables above say is still open, over all
-- sessions in the order in which it runs out. `cmbs.verify` compares it with them.
create table cmbs_store.open_item (
    session_id uuid not null,
    kind text collate "C" not null,
    item_id uuid not null,
    tenant text collate "C" not null,
    due_at timestamptz not null,
    is_open boolean not null,
    constraint open_item_item_id_pk primary key (session_id, kind, item_id),
    constraint open_item_kind_check check (kind in ('permit', 'interrupt', 'deferral'))
) with (fillfactor = 80);
create index open_item_due_at_idx
on cmbs_store.open_item (kind, due_at, session_id, item_id) where is_open;
create index open_item_tenant_idx
on cmbs_store.open_item (tenant, kind, due_at, session_id, item_id) where is_open;
create index open_item_all_idx on cmbs_store.open_item (kind, due_at, session_id, item_id);
create index open_item_session_id_idx
on cmbs_store.open_item (session_id, kind, due_at) where is_open;
comment on table cmbs_store.open_item is
'session: permits, questions and deferrals that are still open, and when each runs out.';
insert into cmbs_store.open_item (session_id, kind, item_id, tenant, due_at, is_open)
select i.session_id, 'interrupt', i.interrupt_id, s.tenant, i.expires_at, not s.is_terminated
from cmbs_store.interrupt as i
inner join cmbs_store.session as s on s.session_id = i.session_id;

create index interrupt_seq_idx on cmbs_store.interrupt (session_id, seq);

create table cmbs_store.webhook (
    tenant text collate "C" not null,
    webhook_no integer not null,
    url text,
    secret text,
    set_at timestamptz not null,
    set_by text collate "C" not null,
    constraint webhook_webhook_no_pk primary key (tenant, webhook_no)
);
comment on table cmbs_store.webhook is
'reference: who is told of questions; of a tenant the highest number counts, and no url is nobody.';

create table cmbs_store.webhook_message (
    session_id uuid not null,
    message_id uuid not null,
    tenant text collate "C" not null,
    event text collate "C" not null,
    interrupt_id uuid not null,
    created_at timestamptz not null,
    state text collate "C" not null,
    n_attempts integer not null,
    next_at timestamptz not null,
    last_error text,
    constraint webhook_message_message_id_pk primary key (session_id, message_id),
    constraint webhook_message_state_check check (state in ('pending', 'delivered', 'dead'))
) with (fillfactor = 80);
create index webhook_message_next_at_idx
on cmbs_store.webhook_message (next_at) where state = 'pending';
comment on table cmbs_store.webhook_message is
'session: the outbox: what has to be told, how often that was tried, and what came of it.';

-- Signatures that changed.
set local client_min_messages = 'warning';
drop function if exists cmbs.policy_apply(
    uuid, text, integer, text, uuid, text, boolean, bytea
);
drop function if exists cmbs_store.budget_reasons(
    cmbs_store.session, cmbs_store.capability_token, jsonb, jsonb
);
drop function if exists cmbs_store.scope_reasons(
    cmbs_store.capability_token, integer, jsonb, jsonb
);
drop function if exists cmbs_store.constraint_reasons(
    cmbs_store.policy, cmbs_store.policy_entry[], integer, text[], jsonb, jsonb
);
drop function if exists cmbs_store.missing_allow(
    jsonb, cmbs_store.policy_entry[], integer, text[], jsonb, jsonb
);
drop function if exists cmbs_store.with_offers(
    jsonb, jsonb, cmbs_store.capability_token, cmbs_store.session, jsonb, jsonb
);
drop function if exists cmbs_store.together_reasons(
    cmbs_store.session, jsonb, cmbs_store.ground
);
drop function if exists cmbs_store.post_state(jsonb, jsonb, text[]);
drop function if exists cmbs_store.given(cmbs_store.session, cmbs_store.principal);
