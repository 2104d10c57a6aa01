-- cmbs_store.policy_versions
--
-- The versions of policy packs that a tenant may use, by name and number, as JSON; of one pack, or
-- of all.

create or replace function cmbs_store.policy_versions(
    p_tenant text,
    p_pack text
)
returns json
language sql
stable
as $$
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
    where v.tenant in (p_tenant, '*') and v.pack = coalesce(p_pack, v.pack)
$$;
