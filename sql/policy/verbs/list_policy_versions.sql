-- cmbs.list_policy_versions
--
-- The versions of one policy pack that a tenant may use, by number, and whether the kill switch is
-- on.
--
-- Locks      nothing.
-- Raises     MB007 POLICY_NOT_FOUND, MB201 INVALID_REQUEST, MB302 FORBIDDEN.

create or replace function cmbs.list_policy_versions(
    p_pack text,
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
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'list_policy_versions', null
    );
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
    v_versions json := cmbs_store.policy_versions(v_tenant, coalesce(p_pack, ''));
begin
    if json_array_length(v_versions) = 0 then
        perform cmbs_store.refuse_missing(
            'policy', json_build_object('pack', left(p_pack, 512), 'version', null)
        );
    end if;
    return json_build_object('halted', cmbs_store.halted(v_tenant), 'policies', v_versions);
end
$$;

grant execute on function cmbs.list_policy_versions
to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
