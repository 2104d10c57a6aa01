-- cmbs_store.claim_row
--
-- The row that a recorded claim leaves.

create or replace function cmbs_store.claim_row(
    p_payload jsonb
)
returns jsonb
language sql
stable
as $$
    select jsonb_build_object(
        'claim_id', p_payload -> 'claim_id',
        'key', p_payload -> 'claim' -> 'key',
        'kind', p_payload -> 'kind',
        'value', p_payload -> 'claim' -> 'value',
        'confidence', (p_payload -> 'claim' ->> 'confidence')::numeric(6, 5),
        'source_chunk_ids', p_payload -> 'claim' -> 'source_chunk_ids',
        'confirmed_by_event_id', p_payload -> 'claim' ->> 'confirmed_by_event_id',
        'is_confirmed', p_payload -> 'confirmed',
        'conflict_state', p_payload -> 'claim' -> 'conflict_state',
        'expires_at', (p_payload ->> 'expires_at')::timestamptz,
        'review_at', (p_payload -> 'claim' ->> 'review_at')::timestamptz,
        'promotes', p_payload ->> 'promotes'
    )
$$;
