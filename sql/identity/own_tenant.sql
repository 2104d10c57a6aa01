-- cmbs_store.own_tenant
--
-- The tenant that something new belongs to: that of the caller, who may see all and belong to none.

create or replace function cmbs_store.own_tenant(
    p_caller cmbs_store.principal
)
returns text
language sql
immutable
as $$ select case when p_caller.tenant = '*' then 'default' else p_caller.tenant end $$;
