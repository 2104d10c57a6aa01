-- cmbs.read_tool
--
-- A tool with the definition that counts, also one that was withdrawn.
--
-- Locks      nothing.
-- Raises     MB008 TOOL_NOT_FOUND, MB201 INVALID_REQUEST, MB302 FORBIDDEN.

create or replace function cmbs.read_tool(
    p_tool_id text,
    p_tenant text default null,
    p_credential bytea default null
)
returns json
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set jit = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'read_tool', null);
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
    v_tool json;
begin
    select t.tool
    into v_tool
    from cmbs_store.tools_json(v_tenant, coalesce(p_tool_id, '')) as t (tool);
    if not found then
        perform cmbs_store.refuse_missing(
            'tool', json_build_object('tool_id', left(p_tool_id, 512))
        );
    end if;
    return v_tool;
end
$$;

grant execute on function cmbs.read_tool to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
