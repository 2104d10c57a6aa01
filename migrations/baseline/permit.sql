-- Leave to execute one call, and what came of it.

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
