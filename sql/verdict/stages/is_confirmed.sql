-- cmbs_store.is_confirmed
--
-- Whether a claim is confirmed: by an approver's act that names its key and value, or by sources
-- with enough confidence, if nothing contradicts it. A policy without `policy.claims` confirms
-- nothing by confidence. As of the event that the session is given as of.

create or replace function cmbs_store.is_confirmed(
    p_session cmbs_store.session,
    p_claim jsonb,
    p_settings jsonb
)
returns boolean
language sql
stable
as $$
    select cmbs_store.cites_confirmation(p_session, p_claim) or coalesce(
        p_claim -> 'source_chunk_ids' <> '[]'
        and p_claim ->> 'conflict_state' = 'none'
        and p_settings ? 'policy.claims'
        and (p_claim ->> 'confidence')::numeric >= coalesce(
            (p_settings -> 'policy.claims' ->> 'threshold')::numeric, 0.80
        ),
        false
    )
$$;
