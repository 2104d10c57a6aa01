-- cmbs.read_policy
--
-- A version of a policy pack with its entries and fixtures; the newest where none is named.
--
-- Locks      nothing.
-- Raises     MB007 POLICY_NOT_FOUND, MB201 INVALID_REQUEST, MB302 FORBIDDEN.

create or replace function cmbs.read_policy(
    p_pack text,
    p_version integer default null,
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
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'read_policy', null);
    v_version cmbs_store.policy_version;
begin
    v_version := cmbs_store.find_policy(
        cmbs_store.check_tenant(v_caller, p_tenant), p_pack, p_version
    );
    return json_build_object(
        'pack', v_version.pack,
        'version', v_version.version,
        'policy_hash', encode(v_version.policy_hash, 'hex'),
        'published_at', cmbs_store.timestamp_v1(v_version.published_at),
        'published_by', v_version.published_by,
        'fixtures', v_version.fixtures::json,
        'entries', (
            select coalesce(json_object_agg(e.key, e.value::json order by e.key), '{}')
            from cmbs_store.policy_entry as e
            where e.policy_hash = v_version.policy_hash
        )
    );
end
$$;

grant execute on function cmbs.read_policy to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
