-- cmbs_store.find_policy
--
-- A version of a pack that sessions of a tenant may name, its own or one of everybody; the newest
-- where no version is given.
--
-- Raises     MB007 POLICY_NOT_FOUND.

create or replace function cmbs_store.find_policy(
    p_tenant text,
    p_pack text,
    p_version integer
)
returns cmbs_store.policy_version
language plpgsql
stable
as $$
declare
    v_version cmbs_store.policy_version;
begin
    select v.*
    into v_version
    from cmbs_store.policy_version as v
    where v.tenant in (p_tenant, '*')
        and v.pack = p_pack
        and v.version = coalesce(p_version, v.version)
    order by v.version desc, v.tenant desc
    limit 1;
    if not found then
        perform cmbs_store.refuse_missing(
            'policy', json_build_object('pack', p_pack, 'version', p_version)
        );
    end if;
    return v_version;
end
$$;
