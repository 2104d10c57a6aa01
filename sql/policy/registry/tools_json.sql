-- cmbs_store.tools_json
--
-- The tools of a tenant with the definitions that count, by id, as JSON texts; one tool, or all.

create or replace function cmbs_store.tools_json(
    p_tenant text,
    p_tool_id text
)
returns setof json
language sql
stable
as $$
    select json_build_object(
        'tool_id', r.tool_id,
        'withdrawn', r.tool_hash is null,
        'tool_hash', encode(r.tool_hash, 'hex'),
        'registered_at', cmbs_store.timestamp_v1(r.registered_at),
        'registered_by', r.registered_by,
        'definition', d.definition::json
    )
    from (
        select distinct on (t.tool_id)
            t.tool_id, t.tool_hash, t.registered_at, t.registered_by
        from cmbs_store.tool_registration as t
        where t.tenant = p_tenant and t.tool_id = coalesce(p_tool_id, t.tool_id)
        order by t.tool_id, t.registration_no desc
    ) as r
    left join cmbs_store.tool_definition as d on d.tool_hash = r.tool_hash
    order by r.tool_id
$$;
