-- cmbs_store.starter_pack
--
-- Publishes a pack that comes with CMBS for every tenant, if this version of it is not there.

create or replace function cmbs_store.starter_pack(
    p_pack text,
    p_version integer,
    p_entries jsonb
)
returns void
language plpgsql
volatile
as $$
declare
    v_texts jsonb;
begin
    select jsonb_object_agg(e.key, e.value::text) into v_texts
    from jsonb_each(p_entries) as e (key, value);
    insert into cmbs_store.policy_version (
        tenant, pack, version, policy_hash, fixtures, published_at, published_by
    )
    values (
        '*', p_pack, p_version, cmbs_store.store_policy(v_texts), '[]', cmbs_store.clock(), 'cmbs'
    )
    on conflict (tenant, pack, version) do nothing;
end
$$;
