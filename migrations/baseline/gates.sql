-- Obligations, conclusions, and how they ended.

create table cmbs_store.obligation (
    session_id uuid not null,
    entered_seq bigint not null,
    obligation_id text collate "C" not null,
    min_total_eliminations bigint not null,
    survivors_at_entry integer not null,
    constraint obligation_entered_seq_pk primary key (session_id, entered_seq)
);
comment on table cmbs_store.obligation is
'session: every obligation that was entered.';

create table cmbs_store.obligation_end (
    session_id uuid not null,
    entered_seq bigint not null,
    ended_seq bigint not null,
    outcome text collate "C" not null,
    survivors_at_end integer not null,
    constraint obligation_end_entered_seq_pk primary key (session_id, entered_seq),
    constraint obligation_end_outcome_check check (outcome in ('exited', 'waived'))
);
comment on table cmbs_store.obligation_end is
'session: how and when an obligation was left; no row while it is active.';

create table cmbs_store.conclusion (
    session_id uuid not null,
    seq bigint not null,
    conclusion_id text collate "C" not null,
    is_accepted boolean not null,
    constraint conclusion_seq_pk primary key (session_id, seq)
);
comment on table cmbs_store.conclusion is
'session: every declared conclusion, accepted or not.';
