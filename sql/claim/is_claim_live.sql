-- cmbs_store.is_claim_live
--
-- Whether a claim still counts at a time.

create or replace function cmbs_store.is_claim_live(
    p_claim cmbs_store.claim,
    p_at timestamptz
)
returns boolean
language sql
immutable
as $$
    select coalesce(p_at < p_claim.expires_at, true)
        and (p_claim.is_confirmed or coalesce(p_at < p_claim.review_at, true))
$$;
