-- What was claimed, and what was confirmed.

create table cmbs_store.claim (
    session_id uuid not null,
    claim_id uuid not null,
    seq bigint not null,
    key text collate "C" not null,
    kind text collate "C" not null,
    value jsonb not null,
    confidence numeric(6, 5) not null,
    source_chunk_ids text[] collate "C" not null,
    confirmed_by_event_id uuid,
    is_confirmed boolean not null,
    conflict_state text collate "C" not null,
    expires_at timestamptz,
    review_at timestamptz,
    promotes uuid,
    constraint claim_claim_id_pk primary key (session_id, claim_id)
);
create index claim_key_idx on cmbs_store.claim (session_id, key, seq);
create index claim_promotes_idx on cmbs_store.claim (session_id, promotes)
where promotes is not null;
comment on table cmbs_store.claim is
'session: what was claimed, on which evidence, and whether that confirms it.';

create table cmbs_store.claim_confirmation (
    session_id uuid not null,
    seq bigint not null,
    key text collate "C" not null,
    value_digest bytea not null,
    constraint claim_confirmation_seq_pk primary key (session_id, seq)
);
comment on table cmbs_store.claim_confirmation is
'session: what an approver confirmed: a key with the digest of its value.';
