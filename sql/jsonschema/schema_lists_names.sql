-- cmbs_store.schema_lists_names
--
-- Whether a value is a list of different texts.

create or replace function cmbs_store.schema_lists_names(
    p_value jsonb
)
returns boolean
language sql
stable
as $$
    select jsonb_typeof(p_value) = 'array' and not exists (
        select
        from jsonb_array_elements(
            case jsonb_typeof(p_value) when 'array' then p_value end
        ) as n (name)
        group by n.name
        having count(*) > 1 or jsonb_typeof(n.name) <> 'string'
    )
$$;
