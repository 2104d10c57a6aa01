-- Roles, what they may, what they are members of, and how their sessions are set.
select
    'exists', 'role ' || r.rolname, '', 'exists', null,
    format(
        'create role %I %s;', r.rolname, case when r.rolcanlogin then 'login' else 'nologin' end
    )
from our_role as r
union all
select
    'role', 'role ' || r.rolname, f.part, case when f.is_set then 'yes' else 'no' end, null,
    format('alter role %I %s%s;', r.rolname, case when not f.is_set then 'no' end, f.part)
from our_role as r
cross join lateral (
    values
    ('superuser', r.rolsuper),
    ('createrole', r.rolcreaterole),
    ('createdb', r.rolcreatedb),
    ('replication', r.rolreplication),
    ('bypassrls', r.rolbypassrls),
    ('inherit', r.rolinherit),
    ('login', r.rolcanlogin)
) as f (part, is_set)
union all
select
    'membership', 'role ' || m.member::regrole::text, 'member of ' || m.roleid::regrole::text,
    'yes',
    string_agg(
        format('revoke %s from %s', m.roleid::regrole, m.member::regrole)
        -- Since version 16 it can be granted more than once, and revoking is the grantor's.
        || case
            when current_setting('server_version_num')::integer >= 160000
                then format(' granted by %s', m.grantor::regrole)
            else ''
        end
        || ' cascade;',
        ' ' order by m.grantor
    ),
    null
from pg_auth_members as m
where m.member in (select r.oid from our_role as r)
group by m.member, m.roleid
union all
select
    'setting', 'settings of role ' || r.rolname,
    o.option_name || coalesce(' in database ' || quote_ident(d.datname), ''),
    o.option_value,
    format(
        'alter role %I%s reset %s;',
        r.rolname, ' in database ' || quote_ident(d.datname), o.option_name
    ),
    format('alter role %I set %s = %L;', r.rolname, o.option_name, o.option_value)
from our_role as r
inner join pg_db_role_setting as s on s.setrole = r.oid
left join pg_database as d on d.oid = s.setdatabase
cross join lateral pg_options_to_table(s.setconfig) as o
where s.setdatabase = 0 or d.datname = current_database();
