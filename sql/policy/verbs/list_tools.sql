-- cmbs.list_tools
--
-- The tools of a tenant with the definitions that count, by id, those that were withdrawn included.
--
-- Locks      nothing.
-- Raises     MB201 INVALID_REQUEST, MB302 FORBIDDEN.

create or replace function cmbs.list_tools(
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
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'list_tools', null);
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
begin
    return json_build_object('tools', (
        select coalesce(json_agg(t.tool), '[]')
        from cmbs_store.tools_json(v_tenant, null) as t (tool)
    ));
end
$$;

grant execute on function cmbs.list_tools to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
