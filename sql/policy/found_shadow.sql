-- cmbs_store.found_shadow
--
-- The policy that is to be asked beside another one with the hash of its content, as a member of
-- what is recorded; none if there is none.
--
-- Raises     MB007 POLICY_NOT_FOUND.

create or replace function cmbs_store.found_shadow(
    p_tenant text,
    p_shadow jsonb
)
returns jsonb
language plpgsql
stable
as $$
declare
    v_version cmbs_store.policy_version;
begin
    if p_shadow is null then
        return '{}'::jsonb;
    end if;
    v_version := cmbs_store.find_policy(
        p_tenant, p_shadow ->> 'pack', (p_shadow ->> 'version')::integer
    );
    return jsonb_build_object('shadow', p_shadow || jsonb_build_object(
        'policy_hash', encode(v_version.policy_hash, 'hex')
    ));
end
$$;
