-- cmbs_store.tools_named
--
-- The tools that items call, as they are registered now: the hash of the definition, null for a
-- tool that is not registered, false for one that was withdrawn.

create or replace function cmbs_store.tools_named(
    p_tenant text,
    p_items jsonb
)
returns jsonb
language sql
stable
as $$
    select coalesce(
        jsonb_object_agg(
            i.tool_id,
            case
                when r.tool_id is null then 'null'
                when r.tool_hash is null then 'false'
                else to_jsonb(encode(r.tool_hash, 'hex'))
            end
        ),
        '{}'
    )
    from (
        select distinct e.item ->> 'tool_id' as tool_id
        from jsonb_array_elements(p_items) as e (item)
        where e.item ->> 'kind' = 'tool_call'
    ) as i
    left join lateral (
        select t.tool_id, t.tool_hash
        from cmbs_store.tool_registration as t
        where t.tenant = p_tenant and t.tool_id = i.tool_id
        order by t.registration_no desc
        limit 1
    ) as r on true
$$;
