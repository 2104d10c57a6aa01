-- cmbs_store.check_tenant
--
-- The tenant that a message about identities is for: by default where the caller is at home. Only
-- who sees every tenant may name another, or `*`.
--
-- Raises     MB201 INVALID_REQUEST, MB302 FORBIDDEN.

create or replace function cmbs_store.check_tenant(
    p_caller cmbs_store.principal,
    p_tenant text
)
returns text
language plpgsql
stable
as $$
begin
    if p_tenant is null then
        return cmbs_store.own_tenant(p_caller);
    end if;
    perform cmbs_store.check_label('tenant', p_tenant);
    if p_caller.tenant not in ('*', p_tenant) then
        perform cmbs_store.refuse_caller(
            'the tenant is not the one of the caller; those made with --tenant ''*'' see others'
        );
    end if;
    return p_tenant;
end
$$;
