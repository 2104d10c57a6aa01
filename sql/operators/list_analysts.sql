-- cmbs.list_analysts
--
-- Every login of an analyst, and how many connections it has now, in whatever database.
--
-- Promises   names in byte order.
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
            json_build_object('name', r.rolname, 'n_connections', (
                select count(*) from pg_stat_activity as a where a.usesysid = r.oid
            ))
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

comment on function cmbs.list_analysts() is
'Every login of an analyst. For administrators.';

revoke all on function cmbs.list_analysts() from public;
