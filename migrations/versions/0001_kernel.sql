-- Tables, constraints and indexes of the kernel.
--
-- Every table says its kind in its comment: `session` (session_id first in the primary key and in
-- every unique constraint, rows of one session only), `reference` (small, immutable, addressed by
-- content) or `local` (operators' bookkeeping that no verb reads).
--
-- There are no foreign keys between tables of a session: they would cost every verb one check query
-- and a key-share lock, while all of a session's rows are written by verbs that hold its row lock,
-- and `cmbs.verify` compares all of them with the log.
--
-- The tables that ELIMINATE writes carry no CHECK either: the server reads each expression anew for
-- every statement, measured as 13 of the verb's 60 microseconds. Only the kernel's functions write
-- there, and `cmbs.verify` checks what a constraint would have.

create table cmbs_store.universe (
    universe_digest bytea not null,
    n_hypotheses integer not null,
    registered_at timestamptz not null,
    constraint universe_universe_digest_pk primary key (universe_digest),
    constraint universe_universe_digest_check check (octet_length(universe_digest) = 32),
    constraint universe_n_hypotheses_check check (n_hypotheses >= 1)
);
comment on table cmbs_store.universe is
'reference: one row per distinct set of hypotheses; the digest is the identity.';

-- Members carry no foreign key: they are inserted with their universe, by one function, in one
-- transaction, and a million check queries per declared universe would buy nothing.
create table cmbs_store.universe_member (
    universe_digest bytea not null,
    hypothesis_id text collate "C" not null,
    hypothesis_rank integer not null,
    constraint universe_member_hypothesis_id_pk
    primary key (universe_digest, hypothesis_id) include (hypothesis_rank),
    constraint universe_member_hypothesis_id_check
    check (octet_length(hypothesis_id) between 1 and 512),
    constraint universe_member_hypothesis_rank_check check (hypothesis_rank >= 0)
);
comment on table cmbs_store.universe_member is
'reference: the hypotheses of a universe; the rank in byte order is the bit number in every mask.';

create table cmbs_store.hypothesis_space (
    hypothesis_space_id text collate "C" not null,
    hypothesis_version text collate "C" not null,
    universe_digest bytea not null,
    registered_at timestamptz not null,
    registered_by text not null,
    constraint hypothesis_space_id_version_pk primary key (hypothesis_space_id, hypothesis_version),
    constraint hypothesis_space_universe_digest_fk
    foreign key (universe_digest) references cmbs_store.universe (universe_digest),
    constraint hypothesis_space_id_check
    check (octet_length(hypothesis_space_id) between 1 and 512),
    constraint hypothesis_space_version_check
    check (octet_length(hypothesis_version) between 1 and 2048)
);
create index hypothesis_space_universe_digest_idx
on cmbs_store.hypothesis_space (universe_digest);
comment on table cmbs_store.hypothesis_space is
'reference: a universe registered under a name and a version, for ever.';

create table cmbs_store.policy_default (
    default_no integer not null,
    validate_hypotheses boolean not null,
    allow_forced_termination boolean not null,
    stability_window integer not null,
    set_at timestamptz not null,
    set_by text not null,
    constraint policy_default_default_no_pk primary key (default_no),
    constraint policy_default_stability_window_check check (stability_window between 0 and 1000)
);
comment on table cmbs_store.policy_default is
'reference: what DECLARE_SESSION fills in; the highest number counts, the others are history.';

-- Mutable columns stand together at the end: the write-ahead log of an update then holds one short
-- difference. None of them is indexed but is_terminated, which changes once, so updates stay HOT.
create table cmbs_store.session (
    session_id uuid not null,
    declared_at timestamptz not null,
    universe_digest bytea not null,
    n_hypotheses integer not null,
    stability_window integer not null,
    validate_hypotheses boolean not null,
    allow_forced_termination boolean not null,
    hypothesis_space_id text collate "C" not null,
    ontology text collate "C" not null,
    policy_as_sent text collate "C",
    audit_seq bigint not null,
    audit_head_event_id uuid not null,
    audit_head_hash bytea not null,
    audit_head_at timestamptz not null,
    survivors_hash bytea not null,
    n_survivors integer not null,
    is_terminated boolean not null,
    mask bytea,
    obligation_seq bigint,
    obligation_id text collate "C",
    obligation_minimum bigint,
    obligation_survivors integer,
    conclusion_id text collate "C",
    conclusion_run integer not null,
    constraint session_session_id_pk primary key (session_id),
    constraint session_universe_digest_fk
    foreign key (universe_digest) references cmbs_store.universe (universe_digest)
) with (fillfactor = 50);
create index session_universe_digest_idx on cmbs_store.session (universe_digest);
create index session_declared_at_idx on cmbs_store.session (declared_at, session_id);
create index session_terminated_idx
on cmbs_store.session (is_terminated, declared_at, session_id);
create index session_space_idx
on cmbs_store.session (hypothesis_space_id, declared_at, session_id);
comment on table cmbs_store.session is
'session: the one row that every verb locks; what was declared, and the current state.';

create table cmbs_store.session_mask (
    session_id uuid not null,
    chunk_no integer not null,
    chunk bytea not null,
    constraint session_mask_chunk_no_pk primary key (session_id, chunk_no)
) with (fillfactor = 50);
-- A chunk is one KiB of bits: compressing it costs time and saves nothing after the first deltas.
alter table cmbs_store.session_mask alter column chunk set storage plain;
comment on table cmbs_store.session_mask is
'session: the survivor mask of universes above 8,192 hypotheses, in rows of 8,192 bits.';

create table cmbs_store.tombstone (
    session_id uuid not null,
    seq bigint not null,
    hypothesis_id text collate "C" not null,
    constraint tombstone_hypothesis_id_pk primary key (session_id, hypothesis_id)
);
comment on table cmbs_store.tombstone is
'session: one row per eliminated hypothesis, naming the event that eliminated it.';

create table cmbs_store.audit_event (
    session_id uuid not null,
    seq bigint not null,
    recorded_at timestamptz not null,
    event_id uuid not null,
    event_hash bytea not null,
    verb text collate "C" not null,
    actor text collate "C" not null,
    source_id text collate "C",
    observation_id text collate "C",
    request_id text collate "C",
    record text collate "C" not null,
    constraint audit_event_seq_pk primary key (session_id, seq)
);
create unique index audit_event_observation_key
on cmbs_store.audit_event (session_id, source_id, observation_id) where source_id is not null;
create unique index audit_event_request_key
on cmbs_store.audit_event (session_id, request_id) where request_id is not null;
-- With one event per session on average, the planner would think the primary key as good a way to a
-- message as the message's own index, and read the whole log of the one long session.
alter table cmbs_store.audit_event alter column session_id set (n_distinct = 100);
comment on table cmbs_store.audit_event is
'session: the append-only, hash-chained log; record is the exact text that event_hash hashes.';

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

comment on table cmbs_store.revision is
'reference: the revision of the schema; one row, which deployments alone change.';

insert into cmbs_store.policy_default (
    default_no, validate_hypotheses, allow_forced_termination, stability_window, set_at, set_by
)
values (1, false, false, 0, transaction_timestamp(), 'cmbs');
