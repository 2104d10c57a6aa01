-- cmbs_store.is_confirmed
--
-- Whether a claim is confirmed, as of the event that the session is given as of: by an approver's
-- act that names its key and value, or by sources with enough confidence, if nothing contradicts
-- it. A policy without `policy.claims` confirms nothing by confidence.

create or replace function cmbs_store.is_confirmed(
    p_session cmbs_store.session,
    p_claim jsonb,
    p_settings jsonb
)
returns boolean
language sql
stable
as $$
    select exists (
        select
        from cmbs_store.claim_confirmation as c
        where c.session_id = p_session.session_id
            and c.seq <= p_session.audit_seq
            and c.seq = cmbs_store.event_seq((p_claim ->> 'confirmed_by_event_id')::uuid)
            and c.key = p_claim ->> 'key'
            and c.value_digest = cmbs_store.digest_v1((p_claim -> 'value')::text)
            and exists (
                select
                from cmbs_store.audit_event as e
                where e.session_id = c.session_id
                    and e.seq = c.seq
                    and e.event_id = (p_claim ->> 'confirmed_by_event_id')::uuid
            )
    ) or coalesce(
        p_claim -> 'source_chunk_ids' <> '[]'
        and p_claim ->> 'conflict_state' = 'none'
        and p_settings ? 'policy.claims'
        and (p_claim ->> 'confidence')::numeric >= coalesce(
            (p_settings -> 'policy.claims' ->> 'threshold')::numeric, 0.80
        ),
        false
    )
$$;

comment on function cmbs_store.is_confirmed(cmbs_store.session, jsonb, jsonb) is
'Whether a claim is confirmed: by an approver, or by sources and confidence.';

revoke all on function cmbs_store.is_confirmed(cmbs_store.session, jsonb, jsonb) from public;
