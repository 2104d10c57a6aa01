-- cmbs_store.webhook_in_force
--
-- Who is told of questions of a tenant: its own webhook, or that of all tenants where it never had
-- one.

create or replace function cmbs_store.webhook_in_force(
    p_tenant text
)
returns cmbs_store.webhook
language sql
stable
as $$
    select w.*
    from cmbs_store.webhook as w
    where w.tenant in (p_tenant, '*')
    order by w.tenant = '*', w.webhook_no desc
    limit 1
$$;
