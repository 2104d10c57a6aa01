-- cmbs.list_analysts
--
-- Every login of an analyst, and how many connections it has now, in whatever database.
--
-- Promises   names in byte order.
-- Locks      nothing.
-- Raises     nothing of its own.

create or replace function cmbs.list_analysts()
returns table (
    name text,
    n_connections bigint
)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
    select
        r.rolname::text,
        (select count(*) from pg_stat_activity as a where a.usesysid = r.oid)
    from pg_auth_members as m
    inner join pg_roles as r on r.oid = m.member
    where m.roleid = 'cmbs_analyst'::regrole and r.rolcanlogin
    group by r.oid, r.rolname
    order by r.rolname::text collate "C"
$$;

comment on function cmbs.list_analysts() is
'Every login of an analyst. For administrators.';

revoke all on function cmbs.list_analysts() from public;
