-- Elimination contexts: a set of hypotheses and which of them are gone, under any text as id. They
-- have no log, no policy and no gates, and never meet the sessions of the kernel.
--
-- Contexts over one set of hypotheses share it, addressed by its digest. The universes of sessions
-- cannot be used for that: they hold at least one id, and none that is empty, while any text may be
-- an id here and a context may begin with nothing. They have ranks as well, which no context needs.

create table cmbs_store.context_universe (
    universe_digest bytea not null,
    n_hypotheses integer not null,
    constraint context_universe_universe_digest_pk primary key (universe_digest),
    constraint context_universe_universe_digest_check check (octet_length(universe_digest) = 32),
    constraint context_universe_n_hypotheses_check check (n_hypotheses >= 0)
);
comment on table cmbs_store.context_universe is
'reference: one row per distinct set of hypotheses of contexts; the digest is the identity.';

create table cmbs_store.context_hypothesis (
    universe_digest bytea not null,
    hypothesis_id text collate "C" not null,
    constraint context_hypothesis_hypothesis_id_pk primary key (universe_digest, hypothesis_id),
    constraint context_hypothesis_hypothesis_id_check check (octet_length(hypothesis_id) <= 512)
);
comment on table cmbs_store.context_hypothesis is
'reference: the hypotheses of a set that contexts begin with.';

-- n_events is counted here and not read off the events, so that a caller whose snapshot is older
-- than another's elimination is told to try again when it takes the lock.
create table cmbs_store.context (
    context_id text collate "C" not null,
    created_at timestamptz not null,
    universe_digest bytea not null,
    n_events bigint not null,
    tenant text collate "C" not null,
    constraint context_context_id_pk primary key (context_id),
    constraint context_universe_digest_fk
    foreign key (universe_digest) references cmbs_store.context_universe (universe_digest)
) with (fillfactor = 50);
create index context_universe_digest_idx on cmbs_store.context (universe_digest);
comment on table cmbs_store.context is
'context: the one row that every elimination locks.';

create table cmbs_store.context_event (
    context_id text collate "C" not null,
    event_no bigint not null,
    eliminated_at timestamptz not null,
    source_id text collate "C" not null,
    trigger text collate "C" not null,
    constraint context_event_event_no_pk primary key (context_id, event_no)
);
comment on table cmbs_store.context_event is
'context: every call that eliminated something: who, on what, when.';

create table cmbs_store.context_tombstone (
    context_id text collate "C" not null,
    hypothesis_id text collate "C" not null,
    event_no bigint not null,
    constraint context_tombstone_hypothesis_id_pk primary key (context_id, hypothesis_id)
);
comment on table cmbs_store.context_tombstone is
'context: one row per eliminated hypothesis, naming the event that eliminated it.';
