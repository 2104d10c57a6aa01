-- cmbs_store.claim_outcome
--
-- The members of an answer that tell what was decided on a claim, as JSON text.

create or replace function cmbs_store.claim_outcome(
    p_payload jsonb,
    p_event_id uuid,
    p_duplicate boolean
)
returns text
language sql
stable
as $$
    select format(
        '"claim_id": %s, "kind": %s, "confirmed": %s, "expires_at": %s, "decision": %s, '
        '"disposition": %s, "reason_code": %s, "reasons": %s, "policy": %s, '
        '"audit_event_id": "%s", "duplicate": %s',
        case when p_payload ->> 'decision' = 'allow' then p_payload -> 'claim_id' else 'null' end,
        p_payload -> 'kind', p_payload -> 'confirmed', p_payload -> 'expires_at',
        p_payload -> 'decision', p_payload -> 'disposition', p_payload -> 'reason_code',
        p_payload -> 'reasons', p_payload -> 'policy', p_event_id, p_duplicate::text
    )
$$;
