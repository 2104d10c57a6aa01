-- cmbs.withdraw_tool
--
-- Withdraws a tool: nobody may call it, until it is registered again.
--
-- Promises   a tool that is withdrawn already stays so.
-- Locks      nothing that others wait for.
-- Raises     MB008 TOOL_NOT_FOUND, MB201 INVALID_REQUEST, MB302 FORBIDDEN.

create or replace function cmbs.withdraw_tool(
    p_tool_id text,
    p_tenant text default null,
    p_credential bytea default null
)
returns json
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'withdraw_tool', '{policy}'
    );
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
begin
    perform cmbs_store.check_writable();
    if not exists (
        select
        from cmbs_store.tool_registration as t
        where t.tenant = v_tenant and t.tool_id = p_tool_id
    ) then
        perform cmbs_store.refuse_missing('tool', json_build_object('tool_id', p_tool_id));
    end if;
    return cmbs_store.registered_tool(v_tenant, p_tool_id, null, v_caller.name);
end
$$;

grant execute on function cmbs.withdraw_tool to cmbs_server, cmbs_policy;
