-- cmbs_store.halted
--
-- Why the kill switch is on, for a tenant or for all; null if it is off.

create or replace function cmbs_store.halted(
    p_tenant text
)
returns text
language sql
stable
as $$
    select string_agg(h.reason, '; ' order by h.tenant)
    from (
        select distinct on (p.tenant) p.tenant, p.is_halted, p.reason
        from cmbs_store.policy_halt as p
        where p.tenant in (p_tenant, '*')
        order by p.tenant, p.halt_no desc
    ) as h
    where h.is_halted
$$;
