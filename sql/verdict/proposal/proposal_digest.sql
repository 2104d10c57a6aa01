-- cmbs_store.proposal_digest
--
-- The digest of what makes a proposal the same as another under one idempotency key: its items, and
-- whether they belong together.

create or replace function cmbs_store.proposal_digest(
    p_proposal jsonb
)
returns bytea
language sql
stable
as $$
    select cmbs_store.digest_v1(
        jsonb_build_array(p_proposal -> 'atomic', p_proposal -> 'items')::text
    )
$$;
