-- cmbs_store.roles_now
--
-- The roles that somebody has now who proposed something before: those of the principal, none if it
-- is disabled or may not speak for the source any more; of a login that nobody registered what it
-- was granted. The server is nobody by itself once there are principals.

create or replace function cmbs_store.roles_now(
    p_tenant text,
    p_name text,
    p_source text
)
returns text[]
language sql
stable
as $$
    select coalesce(
        (
            select case
                when p.is_enabled and exists (
                    select
                    from unnest(p.source_prefixes) as s (prefix)
                    where starts_with(p_source, s.prefix)
                ) then p.roles
                else '{}'
            end
            from cmbs_store.principal as p
            where p.name = p_name and p.tenant in (p_tenant, '*')
            order by p.is_enabled
            limit 1
        ),
        (
            select cmbs_store.login_roles(r.rolname)
            from pg_roles as r
            where r.rolname = case p_name when 'api' then 'cmbs_server' else p_name end
                and (
                    pg_has_role(r.rolname, 'cmbs_owner', 'member')
                    or not pg_has_role(r.rolname, 'cmbs_server', 'member')
                    or not exists (select from cmbs_store.principal)
                )
        ),
        '{}'
    )
$$;
