-- cmbs.test_policy
--
-- Runs fixtures against a version of a policy pack: its own, or those that are sent.
--
-- Locks      nothing.
-- Raises     MB007 POLICY_NOT_FOUND, MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE,
--            MB302 FORBIDDEN.

create or replace function cmbs.test_policy(
    p_pack text,
    p_version integer default null,
    p_fixtures json default null,
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
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'test_policy', null);
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
    v_version cmbs_store.policy_version := cmbs_store.find_policy(v_tenant, p_pack, p_version);
    v_fixtures jsonb := v_version.fixtures::jsonb;
begin
    if p_fixtures is not null then
        v_fixtures := cmbs_store.checked_fixtures(p_fixtures);
    end if;
    return (
        select json_build_object(
            'pack', v_version.pack,
            'version', v_version.version,
            'n_fixtures', count(*),
            'n_failed', count(*) filter (where not r.ok),
            'results', coalesce(json_agg(json_build_object(
                'name', r.name, 'ok', r.ok, 'expected', r.expected, 'got', r.got
            )), '[]')
        )
        from cmbs_store.fixture_results(v_version.policy_hash, v_fixtures, v_tenant) as r
    );
end
$$;

grant execute on function cmbs.test_policy to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
