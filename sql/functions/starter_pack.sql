-- cmbs_store.starter_pack
--
-- Publishes a pack that comes with CMBS for every tenant, if this version of it is not there.

create or replace function cmbs_store.starter_pack(
    p_pack text,
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
    perform cmbs_store.new_policy_version(
        '*', p_pack, cmbs_store.store_policy(v_texts), '[]', 'cmbs'
    );
end
$$;

comment on function cmbs_store.starter_pack(text, jsonb) is
'Publish a pack for every tenant, if it is not there.';

revoke all on function cmbs_store.starter_pack(text, jsonb) from public;
