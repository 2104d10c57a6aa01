-- cmbs_store.tool_definitions
--
-- The definitions of tools, by tool id, from their hashes.

create or replace function cmbs_store.tool_definitions(
    p_tools jsonb
)
returns jsonb
language sql
stable
as $$
    select coalesce(jsonb_object_agg(t.tool_id, d.definition::jsonb), '{}')
    from jsonb_each_text(p_tools) as t (tool_id, tool_hash)
    inner join cmbs_store.tool_definition as d
        on d.tool_hash = decode(t.tool_hash, 'hex')
    where length(t.tool_hash) = 64
$$;
