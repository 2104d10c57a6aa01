-- cmbs_store.find_principal
--
-- A principal by its name, in the one tenant that is meant.
--
-- Raises     MB005 PRINCIPAL_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs_store.find_principal(
    p_name text,
    p_tenant text
)
returns cmbs_store.principal
language plpgsql
stable
as $$
declare
    v_principal cmbs_store.principal;
begin
    perform cmbs_store.check_id('name', p_name, 128);
    select p.*
    into v_principal
    from cmbs_store.principal as p
    where p.name = p_name and p.tenant = p_tenant;
    if not found then
        perform cmbs_store.refuse_missing(
            'principal', json_build_object('name', p_name, 'tenant', p_tenant)
        );
    end if;
    return v_principal;
end
$$;
