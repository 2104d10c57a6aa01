-- cmbs_store.registered_tool
--
-- Lets a definition count for a tool from now on, if it is not the one that counts already; null
-- withdraws the tool.

create or replace function cmbs_store.registered_tool(
    p_tenant text,
    p_tool_id text,
    p_tool_hash bytea,
    p_by text
)
returns json
language plpgsql
volatile
as $$
declare
    v_last cmbs_store.tool_registration;
    v_is_new boolean := true;
begin
    loop
        select t.*
        into v_last
        from cmbs_store.tool_registration as t
        where t.tenant = p_tenant and t.tool_id = p_tool_id
        order by t.registration_no desc
        limit 1;
        v_is_new := not found or v_last.tool_hash is distinct from p_tool_hash;
        exit when not v_is_new;
        insert into cmbs_store.tool_registration (
            tenant, tool_id, registration_no, tool_hash, registered_at, registered_by
        )
        values (
            p_tenant, p_tool_id, coalesce(v_last.registration_no, 0) + 1, p_tool_hash,
            cmbs_store.clock(), p_by
        )
        on conflict (tenant, tool_id, registration_no) do nothing;
        exit when found;
    end loop;
    return json_build_object(
        'tool_id', p_tool_id,
        'tool_hash', encode(p_tool_hash, 'hex'),
        'withdrawn', p_tool_hash is null,
        'duplicate', not v_is_new
    );
end
$$;
