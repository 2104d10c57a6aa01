-- What is open, and when it is due.

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

-- A clock that is set back never makes anything last longer.

create table cmbs_store.clock_step (
    session_id uuid not null,
    seq bigint not null,
    lead_us bigint not null,
    constraint clock_step_seq_pk primary key (session_id, seq)
);
comment on table cmbs_store.clock_step is
'session: events at which the clock was found set back, and by how many microseconds the time of '
'the session is ahead of it since. What was granted before counts no more.';
