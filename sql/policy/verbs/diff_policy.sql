-- cmbs.diff_policy
--
-- What two versions of policy packs have differently: the entries that only one has, and those that
-- both have with other values.
--
-- Locks      nothing.
-- Raises     MB007 POLICY_NOT_FOUND, MB201 INVALID_REQUEST, MB302 FORBIDDEN.

create or replace function cmbs.diff_policy(
    p_pack text,
    p_version integer,
    p_to_version integer,
    p_to_pack text default null,
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
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'diff_policy', null);
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
    v_from cmbs_store.policy_version := cmbs_store.find_policy(v_tenant, p_pack, p_version);
    v_to cmbs_store.policy_version := cmbs_store.find_policy(
        v_tenant, coalesce(p_to_pack, p_pack), p_to_version
    );
begin
    return (
        select json_build_object(
            'from', json_build_object('pack', v_from.pack, 'version', v_from.version),
            'to', json_build_object('pack', v_to.pack, 'version', v_to.version),
            'added', coalesce(json_agg(json_build_object('key', d.key, 'value', d.is_now)
                order by d.key) filter (where d.was is null), '[]'),
            'removed', coalesce(json_agg(json_build_object('key', d.key, 'value', d.was)
                order by d.key) filter (where d.is_now is null), '[]'),
            'changed', coalesce(json_agg(json_build_object('key', d.key, 'from', d.was,
                'to', d.is_now) order by d.key)
                filter (where d.was is not null and d.is_now is not null), '[]')
        )
        from (
            select e.key, min(e.was) as was, min(e.is_now) as is_now
            from (
                select f.key, f.value as was, null as is_now
                from cmbs_store.policy_entry as f
                where f.policy_hash = v_from.policy_hash
                union all
                select t.key, null, t.value
                from cmbs_store.policy_entry as t
                where t.policy_hash = v_to.policy_hash
            ) as e
            group by e.key
            having min(e.was) is distinct from min(e.is_now)
        ) as d
    );
end
$$;

grant execute on function cmbs.diff_policy to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
