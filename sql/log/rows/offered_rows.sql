-- cmbs_store.offered_rows
--
-- The rows of what a proposal may execute, of approvals that it used, and of what it waits for.

create or replace function cmbs_store.offered_rows(
    p_actor text,
    p_payload jsonb
)
returns table (relation text, content jsonb)
language sql
stable
as $$
    select 'permit', jsonb_build_object(
        'permit_id', i.verdict -> 'permit_id',
        'item_no', i.verdict -> 'item_no',
        'tool_id', p_payload #> array['proposal', 'items', (i.item_no - 1)::text, 'tool_id'],
        'actor', p_actor,
        'token_id', p_payload -> 'token_id',
        'expires_at', (i.verdict #>> '{permit,expires_at}')::timestamptz
    )
    from jsonb_array_elements(p_payload -> 'items') with ordinality as i (verdict, item_no)
    where i.verdict ? 'permit_id'
    union all
    select 'interrupt_use', jsonb_build_object('interrupt_id', a.approval -> 'interrupt_id')
    from jsonb_array_elements(p_payload -> 'resumes' -> 'approvals') as a (approval)
    where p_payload #> array['items', ((a.approval ->> 'item_no')::integer - 1)::text, 'effective']
        = 'true'
    union all
    select 'deferral', jsonb_build_object(
        'deferral_id', p_payload -> 'deferral' -> 'deferral_id',
        'attempt', p_payload -> 'deferral' -> 'attempt',
        'keys', p_payload -> 'deferral' -> 'missing',
        'next_at', (p_payload -> 'deferral' ->> 'next_at')::timestamptz
    )
    where p_payload ? 'deferral'
$$;
