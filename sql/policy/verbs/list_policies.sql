-- cmbs.list_policies
--
-- The versions of policy packs that a tenant may use, by name and number, and whether the kill
-- switch is on.
--
-- Locks      nothing.
-- Raises     MB201 INVALID_REQUEST, MB302 FORBIDDEN.

create or replace function cmbs.list_policies(
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
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'list_policies', null);
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
begin
    return json_build_object(
        'halted', cmbs_store.halted(v_tenant),
        'policies', cmbs_store.policy_versions(v_tenant, null)
    );
end
$$;

grant execute on function cmbs.list_policies to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
