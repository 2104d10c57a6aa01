-- cmbs_store.proposal_rows
--
-- The rows that a proposal leaves in the tables of its session: itself, and what took effect.

create or replace function cmbs_store.proposal_rows(
    p_session_id uuid,
    p_actor text,
    p_payload jsonb
)
returns table (relation text, content jsonb)
language sql
stable
as $$
    with item as (
        select i.item_no, i.verdict, p_payload #> array['proposal', 'items', (i.item_no - 1)::text]
            as item
        from jsonb_array_elements(p_payload -> 'items') with ordinality as i (verdict, item_no)
    )
    select 'proposal', jsonb_build_object(
        'actor', p_actor,
        'idempotency_key', p_payload -> 'proposal' -> 'idempotency_key',
        'content_hash', cmbs_store.proposal_digest(p_payload -> 'proposal'),
        'decision', p_payload -> 'decision',
        'disposition', p_payload -> 'disposition',
        'reason_code', p_payload -> 'reason_code'
    )
    union all
    select 'state_delta', jsonb_build_object(
        'item_no', i.item_no,
        'patch', coalesce(i.item -> 'patch', '{}')::text,
        's_core', i.item -> 's_core'
    )
    from item as i
    where i.verdict -> 'effective' = 'true' and i.item ->> 'kind' = 'state_delta'
    union all
    select 'state_value', jsonb_build_object('key', m.key, 'value', m.value)
    from item as i
    cross join lateral jsonb_each(i.item -> 'patch') as m (key, value)
    where i.verdict -> 'effective' = 'true'
    union all
    select 'capability_spending', s.content
    from (
        select count(*) as calls
        from item as i
        where i.verdict -> 'effective' = 'true' and i.item ->> 'kind' = 'tool_call'
    ) as n
    cross join lateral cmbs_store.spending_rows(
        p_session_id, (p_payload ->> 'token_id')::uuid, jsonb_build_object('max_calls', n.calls)
    ) as s (content)
    union all
    select 'interrupt', jsonb_build_object(
        'interrupt_id', i.verdict -> 'interrupt_id',
        'item_no', i.item_no,
        'action_digest', '\x' || (i.verdict #>> '{interrupt,action_digest}'),
        'constraint_keys', i.verdict #> '{interrupt,constraint_keys}',
        'expires_at', (i.verdict #>> '{interrupt,expires_at}')::timestamptz
    )
    from item as i
    where i.verdict ? 'interrupt_id'
    union all
    select w.relation, w.content
    from cmbs_store.offered_rows(p_actor, p_payload) as w
$$;
