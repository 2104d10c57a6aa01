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

create table cmbs_store.clock_mark (
    is_only boolean not null,
    reached_at timestamptz not null,
    lead_us bigint not null,
    n_steps integer not null,
    n_found integer not null,
    constraint clock_mark_is_only_pk primary key (is_only),
    constraint clock_mark_is_only_check check (is_only)
) with (fillfactor = 10);
insert into cmbs_store.clock_mark (is_only, reached_at, lead_us, n_steps, n_found)
values (true, to_timestamp(0), 0, 0, 0);
comment on table cmbs_store.clock_mark is
'local: how far time has come here, by how many microseconds the clock was set back in all and how '
'often, and how many of these steps every session with something granted has found.';

-- How often the clock had been set back when the session last looked.
alter table cmbs_store.session add column n_clock_steps integer not null default 0;
alter table cmbs_store.session alter column n_clock_steps drop default;

-- By how much the clock had been set back when the token was made.
alter table cmbs_store.api_token add column clock_lead_us bigint not null default 0;
alter table cmbs_store.api_token alter column clock_lead_us drop default;

-- Signatures that changed.
set local client_min_messages = 'warning';
drop function if exists cmbs_store.sweep_fault(cmbs_store.session, jsonb, timestamptz);
drop function if exists cmbs_store.inbox_entry(cmbs_store.open_item, text, timestamptz);
drop function if exists cmbs.read_live_view(text, bytea);
drop function if exists cmbs_store.nodes_json(cmbs_store.incident);
drop function if exists cmbs_store.edges_json(cmbs_store.incident);
