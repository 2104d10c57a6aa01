-- cmbs.list_analysts
--
-- Every login of an analyst, how many connections it has now, in whatever database, and the tenant
-- that it was registered for.
--
-- Promises   names in byte order; the tenant is null for a login that nobody registered, which is
--            of the tenant `default`.
-- Locks      nothing.
-- Raises     nothing of its own.

create or replace function cmbs.list_analysts()
returns json
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    select coalesce(
        json_agg(
            json_build_object(
                'name', r.rolname,
                'n_connections', (
                    select count(*) from pg_stat_activity as a where a.usesysid = r.oid
                ),
                'tenant', (
                    select p.tenant
                    from cmbs.principal as p
                    where p.name = r.rolname and p.is_login
                )
            )
            order by r.rolname::text collate "C"
        ),
        '[]'
    )
    from pg_roles as r
    where r.rolcanlogin and exists (
        select
        from pg_auth_members as m
        where m.member = r.oid and m.roleid = 'cmbs_analyst'::regrole
    )
$$;
