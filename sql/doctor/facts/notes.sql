-- Worth knowing, and no fault of the schema.
select
    'note', s.name, '', s.setting, 'alter system set ' || s.name || ' = on;', null
from pg_settings as s
where s.name in ('fsync', 'full_page_writes', 'synchronous_commit') and s.setting = 'off'
union all
select
    'note', s.name, '', s.setting,
    '-- with the server stopped: pg_checksums --enable -D DIRECTORY', null
from pg_settings as s
where s.name = 'data_checksums' and s.setting = 'off'
union all
select distinct
    'note', u.rolname, 'may act as ' || r.rolname, 'by membership',
    format('revoke %I from %I;', r.rolname, u.rolname), null
from our_role as r
inner join pg_auth_members as m on m.roleid = r.oid
inner join pg_roles as u on u.oid = m.member
where r.rolname in ('cmbs_owner', 'cmbs_kernel')
    and not u.rolsuper
    and u.oid not in (select o.oid from our_role as o)
union all
select
    'note', u.rolname, 'may make roles', 'by createrole',
    format('alter role %I nocreaterole;', u.rolname), null
from pg_roles as u
where u.rolcreaterole
    and not u.rolsuper
    and u.oid not in (select o.oid from our_role as o)
union all
-- What these read or write is not filtered by tenant, and not written into any log.
select distinct
    'note', u.rolname, 'may pass by all grants', 'by membership in ' || r.rolname,
    format('revoke %I from %I;', r.rolname, u.rolname), null
from pg_roles as r
inner join pg_auth_members as m on m.roleid = r.oid
inner join pg_roles as u on u.oid = m.member
where r.rolname in (
        'pg_read_all_data', 'pg_write_all_data', 'pg_read_server_files',
        'pg_write_server_files', 'pg_execute_server_program'
    )
    and not u.rolsuper
    and u.oid not in (select o.oid from our_role as o)
union all
select
    'note', 'everybody', 'may make temporary tables', 'in this database',
    format('revoke temporary on database %I from public;', d.datname), null
from pg_database as d
cross join lateral aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) as a
where d.datname = current_database() and a.grantee = 0 and a.privilege_type = 'TEMPORARY'
union all
select
    'note', 'publication ' || quote_ident(t.pubname), 'sends tables of ours:', count(*)::text,
    format('drop publication %I;', t.pubname), null
from pg_publication_tables as t
where t.schemaname in (select n.nspname from our_schema as n)
group by t.pubname
union all
-- Before version 16, whoever may create roles may grant nearly any of them.
select
    'note', u.rolname, 'may grant itself ' || string_agg(r.rolname, ', ' order by r.rolname),
    case when u.rolcreaterole then 'with createrole' else 'with admin option' end,
    string_agg(
        case
            when pg_has_role(u.oid, r.oid, 'member with admin option')
                then format('revoke admin option for %I from %I;', r.rolname, u.rolname)
            else format('alter role %I nocreaterole;', u.rolname)
        end,
        e'\n' order by r.rolname
    ),
    null
from our_role as r
inner join pg_roles as u
    on pg_has_role(u.oid, r.oid, 'member with admin option')
    or u.rolcreaterole and current_setting('server_version_num')::integer < 160000
where not u.rolsuper and u.oid not in (select o.oid from our_role as o)
group by u.oid, u.rolname, u.rolcreaterole;
