-- What principals may propose in a session, and what they spent of it.

create table cmbs_store.capability_token (
    session_id uuid not null,
    token_id uuid not null,
    seq bigint not null,
    parent_id uuid,
    chain uuid[] not null,
    holder text collate "C" not null,
    tools text[] collate "C" not null,
    capabilities text[] collate "C" not null,
    state_prefixes text[] collate "C" not null,
    resource_roots text[] collate "C" not null,
    budgets jsonb not null,
    valid_from timestamptz not null,
    expires_at timestamptz not null,
    approval text collate "C" not null,
    secret_hash bytea not null,
    constraint capability_token_token_id_pk primary key (session_id, token_id)
);
create unique index capability_token_secret_hash_key
on cmbs_store.capability_token (session_id, secret_hash);
comment on table cmbs_store.capability_token is
'session: what a principal may propose; chain is the token itself and all that it was made from.';

create table cmbs_store.capability_revocation (
    session_id uuid not null,
    token_id uuid not null,
    seq bigint not null,
    constraint capability_revocation_token_id_pk primary key (session_id, token_id)
);
comment on table cmbs_store.capability_revocation is
'session: tokens that count no more, nor do those that were made from them.';

create table cmbs_store.capability_spending (
    session_id uuid not null,
    token_id uuid not null,
    unit text collate "C" not null,
    seq bigint not null,
    amount bigint not null,
    spent bigint not null,
    constraint capability_spending_seq_pk primary key (session_id, token_id, unit, seq)
);
comment on table cmbs_store.capability_spending is
'session: what was spent of the budget of a token, with the sum so far.';
