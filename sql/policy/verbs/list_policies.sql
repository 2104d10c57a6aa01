-- cmbs.list_policies
--
-- The versions of policy packs that a tenant may use, by name and number, and whether the kill
-- switch is on.
--
-- Locks      nothing.
-- Raises     MB201 INVALID_REQUEST, MB302 FORBIDDEN.

create or replace function cmbs.list_policies(
    p_pack text default null,
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
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'list_policies', null);
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
begin
    return json_build_object(
        'halted', cmbs_store.halted(v_tenant),
        'policies', (
            select coalesce(json_agg(json_build_object(
                'pack', v.pack,
                'version', v.version,
                'policy_hash', encode(v.policy_hash, 'hex'),
                'n_entries', p.n_entries,
                'published_at', cmbs_store.timestamp_v1(v.published_at),
                'published_by', v.published_by
            ) order by v.pack, v.version), '[]')
            from cmbs_store.policy_version as v
            inner join cmbs_store.policy as p on p.policy_hash = v.policy_hash
            where v.tenant in (v_tenant, '*') and v.pack = coalesce(p_pack, v.pack)
        )
    );
end
$$;

comment on function cmbs.list_policies(text, text, bytea) is
'The versions of policy packs that a tenant may use, by name and number. Raises MB201, MB302.';

revoke all on function cmbs.list_policies(text, text, bytea) from public;
grant execute on function cmbs.list_policies(text, text, bytea)
to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
