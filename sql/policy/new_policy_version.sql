-- cmbs_store.new_policy_version
--
-- The next version of a pack; if its last version has the same content and fixtures, that one.
--
-- Locks      waits for another version of the same number.

create or replace function cmbs_store.new_policy_version(
    p_tenant text,
    p_pack text,
    p_policy_hash bytea,
    p_fixtures text,
    p_by text,
    out p_version integer,
    out p_is_new boolean
)
returns record
language plpgsql
volatile
as $$
declare
    v_last cmbs_store.policy_version;
begin
    loop
        select v.*
        into v_last
        from cmbs_store.policy_version as v
        where v.tenant = p_tenant and v.pack = p_pack
        order by v.version desc
        limit 1;
        if v_last.policy_hash = p_policy_hash and v_last.fixtures = p_fixtures then
            p_version := v_last.version;
            p_is_new := false;
            return;
        end if;
        p_version := coalesce(v_last.version, 0) + 1;
        insert into cmbs_store.policy_version (
            tenant, pack, version, policy_hash, fixtures, published_at, published_by
        )
        values (
            p_tenant, p_pack, p_version, p_policy_hash, p_fixtures, cmbs_store.clock(), p_by
        )
        on conflict (tenant, pack, version) do nothing;
        if found then
            p_is_new := true;
            return;
        end if;
    end loop;
end
$$;
