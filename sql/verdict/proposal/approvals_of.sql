-- cmbs_store.approvals_of
--
-- The approvals by which one item of a proposal was allowed, as what a verdict on the item alone
-- goes on with.

create or replace function cmbs_store.approvals_of(
    p_payload jsonb,
    p_item_no integer
)
returns jsonb
language sql
immutable
as $$
    select jsonb_build_object('approvals', coalesce(
        jsonb_agg(a.approval || '{"item_no": 1}' order by a.no), '[]'
    ))
    from jsonb_array_elements(
        p_payload -> 'resumes' -> 'approvals'
    ) with ordinality as a (approval, no)
    where (a.approval ->> 'item_no')::integer = p_item_no
$$;
