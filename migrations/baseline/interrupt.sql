-- Questions to people, their answers, and who has to be told.

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
create index interrupt_seq_idx on cmbs_store.interrupt (session_id, seq);

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
create index webhook_message_open_idx
on cmbs_store.webhook_message (created_at) where state <> 'delivered';
comment on table cmbs_store.webhook_message is
'session: the outbox: what has to be told, how often that was tried, and what came of it.';
