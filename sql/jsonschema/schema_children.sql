-- cmbs_store.schema_children
--
-- The schemas in a schema: where in it, what, and whether they apply to the same value.

create or replace function cmbs_store.schema_children(
    p_schema jsonb,
    out place text,
    out child jsonb,
    out is_in_place boolean
)
returns setof record
language sql
stable
as $$
    select k.keyword, k.value, k.keyword = 'not'
    from jsonb_each(case jsonb_typeof(p_schema) when 'object' then p_schema end)
        as k (keyword, value)
    where k.keyword in ('additionalProperties', 'items', 'not')
    union all
    select
        k.keyword || '/' || replace(replace(m.name, '~', '~0'), '/', '~1'),
        m.value,
        false
    from unnest(array['$defs', 'properties']) as k (keyword)
    cross join lateral jsonb_each(
        case jsonb_typeof(p_schema -> k.keyword) when 'object' then p_schema -> k.keyword end
    ) as m (name, value)
    union all
    select k.keyword || '/' || (i.item_no - 1), i.value, true
    from unnest(array['allOf', 'anyOf', 'oneOf']) as k (keyword)
    cross join lateral jsonb_array_elements(
        case jsonb_typeof(p_schema -> k.keyword) when 'array' then p_schema -> k.keyword end
    ) with ordinality as i (value, item_no)
$$;
