-- cmbs_store.merged_patch
--
-- What the deltas among some items write together: key -> text, null where they delete.

create or replace function cmbs_store.merged_patch(
    p_items jsonb
)
returns jsonb
language sql
stable
as $$
    select coalesce(jsonb_object_agg(m.key, m.value), '{}')
    from jsonb_array_elements(p_items) as i (item)
    cross join lateral jsonb_each(i.item -> 'patch') as m (key, value)
$$;
