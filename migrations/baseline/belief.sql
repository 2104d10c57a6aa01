-- Universes, sessions and what is eliminated.
--
-- The tables that ELIMINATE writes carry no CHECK: the server reads each expression anew for every
-- statement, measured as 13 of the verb's 60 microseconds. Only the kernel's functions write there,
-- and `cmbs.verify` checks what a constraint would have.

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
    tenant text collate "C" not null,
    constraint hypothesis_space_id_version_pk
    primary key (tenant, hypothesis_space_id, hypothesis_version),
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
    tenant text collate "C" not null,
    constraint policy_default_default_no_pk primary key (tenant, default_no),
    constraint policy_default_stability_window_check check (stability_window between 0 and 1000)
);
insert into cmbs_store.policy_default (
    default_no, validate_hypotheses, allow_forced_termination, stability_window, set_at, set_by,
    tenant
)
values (1, false, false, 0, transaction_timestamp(), 'cmbs', '*');
comment on table cmbs_store.policy_default is
'reference: what DECLARE_SESSION fills in; of a tenant the highest number counts, then that of *.';

-- Mutable columns stand together: the write-ahead log of an update then holds one short difference.
-- None of them is indexed but is_terminated, which changes once, so updates stay HOT.
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
    tenant text collate "C" not null,
    universe_from text collate "C",
    is_mirrored boolean not null,
    n_clock_steps integer not null,
    constraint session_session_id_pk primary key (session_id),
    constraint session_universe_digest_fk
    foreign key (universe_digest) references cmbs_store.universe (universe_digest)
) with (fillfactor = 50);
create index session_universe_digest_idx on cmbs_store.session (universe_digest);
create index session_declared_at_idx on cmbs_store.session (declared_at, session_id);
create index session_tenant_idx on cmbs_store.session (tenant, declared_at, session_id);
create index session_terminated_idx
on cmbs_store.session (tenant, is_terminated, declared_at, session_id);
create index session_space_idx
on cmbs_store.session (tenant, hypothesis_space_id, declared_at, session_id);
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

-- The text that stands for a set of ids, already in byte order and without duplicates.
create function cmbs_store.universe_digest_v1(p_ids_text text)
returns bytea
language sql
stable
parallel safe
return sha256(convert_to(p_ids_text, 'UTF8'));
comment on function cmbs_store.universe_digest_v1(text) is
'sha-256 over the canonical text of the sorted ids.';
revoke all on function cmbs_store.universe_digest_v1(text) from public;
grant execute on function cmbs_store.universe_digest_v1(text) to cmbs_kernel;

create function cmbs_store.survivors_hash_v1(p_universe_digest bytea, p_mask bytea)
returns bytea
language sql
immutable
parallel safe
return sha256(p_universe_digest || p_mask);
comment on function cmbs_store.survivors_hash_v1(bytea, bytea) is
'sha-256 over universe digest and survivor mask.';
revoke all on function cmbs_store.survivors_hash_v1(bytea, bytea) from public;
grant execute on function cmbs_store.survivors_hash_v1(bytea, bytea) to cmbs_kernel;

-- n bits, all set or all clear; spare bits of the last byte are always clear.
create function cmbs_store.mask_v1(p_n_bits integer, p_alive boolean)
returns bytea
language sql
immutable
parallel safe
return case
    when not p_alive then decode(repeat('00', (p_n_bits + 7) / 8), 'hex')
    when p_n_bits % 8 = 0 then decode(repeat('ff', p_n_bits / 8), 'hex')
    else decode(repeat('ff', p_n_bits / 8) || lpad(to_hex((1 << p_n_bits % 8) - 1), 2, '0'), 'hex')
end;
comment on function cmbs_store.mask_v1(integer, boolean) is
'A mask of n bits, all set or all clear.';
revoke all on function cmbs_store.mask_v1(integer, boolean) from public;
grant execute on function cmbs_store.mask_v1(integer, boolean) to cmbs_kernel;
