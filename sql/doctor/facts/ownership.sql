-- What there is, whose it is, and who may use it.
select 'exists', s.name, '', 'exists', null, null
from our_schema as s
union all
select
    'exists', o.name, '', 'exists', format('drop %s;', o.name),
    case
        when o.classid = 'pg_class'::regclass and o.type = 'table'
            then '-- its rows are lost: restore the last dump, cmbs restore FILE'
        when p.is_frozen
            then concat_ws(
                E'\n', pg_get_functiondef(p.oid) || ';',
                format('alter %s owner to %s;', p.name, p.proowner::regrole),
                format('revoke all on %s from public;', p.name),
                (
                    select
                        string_agg(
                            format('grant %s on %s to %s;', g.what, g.target, g.grantee), E'\n'
                            order by g.grantee collate "C"
                        )
                    from privilege as g
                    where g.name = p.name and not g.is_owners
                )
            )
    end
from object as o
left join routine as p on p.oid = o.objid and o.classid = 'pg_proc'::regclass
union all
select
    'owner', o.name, 'owner', o.owner::regrole::text, null,
    format('alter %s owner to %s;', o.name, o.owner::regrole)
from owned as o
union all
select
    'grant', g.name, format('%s for %s', g.what, g.grantee),
    case when bool_or(g.is_grantable) then 'and may grant it' else 'yes' end,
    string_agg(
        coalesce('set role ' || g.grantor || '; ', '')
        || format('revoke %s on %s from %s cascade;', g.what, g.target, g.grantee)
        || case when g.grantor is not null then ' reset role;' else '' end,
        ' ' order by g.grantor collate "C"
    ),
    format('revoke grant option for %s on %s from %s cascade; ', g.what, g.target, g.grantee)
    || format('grant %s on %s to %s;', g.what, g.target, g.grantee)
from privilege as g
where not g.is_owners
group by g.name, g.what, g.target, g.grantee
union all
select
    'grant', g.name, 'its owner', string_agg(distinct g.what collate "C", ', '), null,
    format(
        'grant %s on %s to %s;',
        string_agg(distinct g.what collate "C", ', '), g.target, g.grantee
    )
from privilege as g
where g.is_owners
group by g.name, g.target, g.grantee
union all
select
    'default privileges',
    'default privileges' || coalesce(' in schema ' || quote_ident(d.nspname), ''),
    format('%s on %s of %s for %s', d.what, d.on_what, d.of_role, d.grantee), 'granted',
    format(
        'alter default privileges for role %s%s revoke %s on %s from %s;',
        d.of_role, ' in schema ' || quote_ident(d.nspname), d.what, d.on_what, d.grantee
    ),
    null
from (
    select
        d.defaclrole::regrole::text as of_role,
        n.nspname,
        case d.defaclobjtype
            when 'r' then 'tables'
            when 'S' then 'sequences'
            when 'f' then 'functions'
            when 'T' then 'types'
            else 'schemas'
        end as on_what,
        lower(a.privilege_type collate "C") as what,
        coalesce(nullif(a.grantee, 0)::regrole::text, 'public') as grantee
    from pg_default_acl as d
    left join pg_namespace as n on n.oid = d.defaclnamespace
    cross join lateral aclexplode(d.defaclacl) as a
    where (
            d.defaclnamespace in (select s.oid from our_schema as s)
            or d.defaclrole in (select r.oid from our_role as r)
        )
        and a.grantee <> d.defaclrole
        -- What everybody has without any default.
        and not (d.defaclnamespace = 0 and a.grantee = 0 and d.defaclobjtype in ('f', 'T'))
) as d
union all
-- A default that was taken away: without a row the built-in one is in force, which is to everybody.
select
    'default privileges', 'default privileges',
    format('execute on functions of %I for public', r.rolname),
    case
        when exists (
            select
            from pg_default_acl as d
            where d.defaclrole = r.oid
                and d.defaclnamespace = 0
                and d.defaclobjtype = 'f'
                and not exists (
                    select from aclexplode(d.defaclacl) as a where a.grantee = 0
                )
        )
            then 'revoked'
        else 'granted'
    end,
    null,
    format(
        'alter default privileges for role %I revoke execute on functions from public;',
        r.rolname
    )
from our_role as r
where r.rolname in ('cmbs_owner', 'cmbs_kernel');
