-- What the catalog says of CMBS, as facts that can be compared with those of another database.
--
-- `cmbs doctor` runs this file as it is, on databases of any state: it calls nothing of ours, reads
-- catalogs that everybody may read, and changes nothing. The facts of a fresh database are in
-- expected.jsonl beside it, the same on every supported version of PostgreSQL.
--
-- kind, name, part   what it is about; at most one fact each
-- fact               how it is
-- undo               SQL that takes it away, where nothing of the kind should be
-- redo               SQL that makes it so; without either, `cmbs migrate` does
--
-- Run with search_path = pg_catalog, so that every name outside of it is written with its schema.

with our_role as (
    select r.*
    from pg_roles as r
    where r.rolname in (
            'cmbs_owner', 'cmbs_kernel', 'cmbs_agent', 'cmbs_policy', 'cmbs_auditor',
            'cmbs_analyst', 'cmbs_server'
        )
),

our_schema as (
    select
        n.*,
        'schema ' || quote_ident(n.nspname) as name
    from pg_namespace as n
    where n.nspname in ('cmbs', 'cmbs_store')
),

-- Everything that lives in our schemas, of whatever kind; what an extension made goes with it.
object as (
    select
        d.classid,
        d.objid,
        t.type,
        t.identity,
        t.type || ' ' || t.identity as name
    from pg_depend as d
    inner join our_schema as n on n.oid = d.refobjid
    cross join lateral pg_identify_object(d.classid, d.objid, d.objsubid) as i
    cross join lateral (
        select
            replace(i.type, 'statistics object', 'statistics'),
            -- Versions differ in how they write the types of its arguments.
            case
                when d.classid = 'pg_proc'::regclass then d.objid::regprocedure::text
                else i.identity
            end
    ) as t (type, identity)
    where d.refclassid = 'pg_namespace'::regclass
        and d.deptype = 'n'
        and d.classid not in ('pg_default_acl'::regclass, 'pg_publication_namespace'::regclass)
        and not exists (
            select
            from pg_depend as e
            where e.classid = d.classid and e.objid = d.objid and e.deptype = 'e'
        )
),

relation as (
    select
        c.*,
        o.type,
        o.identity,
        o.name
    from object as o
    inner join pg_class as c on c.oid = o.objid
    where o.classid = 'pg_class'::regclass and c.relkind in ('r', 'v', 'm', 'p', 'f')
),

routine as (
    select
        p.*,
        o.type,
        o.identity,
        o.name,
        p.prokind = 'f' and p.proname like '%\_v1' as is_frozen
    from object as o
    inner join pg_proc as p on p.oid = o.objid
    where o.classid = 'pg_proc'::regclass
),

owned as (
    select s.name, s.nspowner as owner, s.nspacl as acl, 'n'::"char" as acl_kind, s.name as target
    from our_schema as s
    union all
    select r.name, r.relowner, r.relacl, 'r'::"char", 'table ' || r.identity
    from relation as r
    union all
    select p.name, p.proowner, p.proacl, 'f'::"char", p.name
    from routine as p
),

privilege as (
    select
        o.name,
        o.target,
        lower(a.privilege_type collate "C") as what,
        a.grantee = o.owner as is_owners,
        -- Revoking is the grantor's.
        case when a.grantor <> o.owner then a.grantor::regrole::text end as grantor,
        coalesce(nullif(a.grantee, 0)::regrole::text, 'public') as grantee,
        a.grantee as grantee_oid,
        a.is_grantable
    from owned as o
    cross join lateral aclexplode(coalesce(o.acl, acldefault(o.acl_kind, o.owner))) as a
    -- Younger versions have one more that an owner has by itself.
    where a.grantee <> o.owner or a.privilege_type <> 'MAINTAIN'
    union all
    select
        r.name,
        'table ' || r.identity,
        format('%s (%I)', lower(a.privilege_type collate "C"), t.attname),
        a.grantee = r.relowner,
        case when a.grantor <> r.relowner then a.grantor::regrole::text end,
        coalesce(nullif(a.grantee, 0)::regrole::text, 'public'),
        a.grantee,
        a.is_grantable
    from relation as r
    inner join pg_attribute as t on t.attrelid = r.oid and not t.attisdropped
    cross join lateral aclexplode(t.attacl) as a
),

default_privilege as (
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
),

role_flag as (
    select r.rolname, f.part, f.is_set
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
),

fact (kind, name, part, fact, undo, redo) as (
    -- Roles, what they may, what they are members of, and how their sessions are set.
    select
        'exists', 'role ' || r.rolname, '', 'exists', null,
        format(
            'create role %I %s;', r.rolname, case when r.rolcanlogin then 'login' else 'nologin' end
        )
    from our_role as r
    union all
    select
        'role', 'role ' || f.rolname, f.part, case when f.is_set then 'yes' else 'no' end, null,
        format('alter role %I %s%s;', f.rolname, case when not f.is_set then 'no' end, f.part)
    from role_flag as f
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
    where s.setdatabase = 0 or d.datname = current_database()
    union all

    -- The database itself.
    select
        'database', 'database', 'encoding', pg_encoding_to_char(d.encoding), null,
        '-- no command changes it: cmbs dump, and restore into a database made with encoding UTF8'
    from pg_database as d
    where d.datname = current_database()
    union all
    select
        'database', 'database', 'connect for cmbs_server',
        case when has_database_privilege(r.oid, d.oid, 'connect') then 'granted' else 'missing' end,
        null,
        -- What is expected is written down in a database of another name.
        'do $$ begin execute format(''grant connect on database %I to cmbs_server'', '
        'current_database()); end $$;'
    from pg_database as d
    inner join our_role as r on r.rolname = 'cmbs_server'
    where d.datname = current_database()
    union all
    -- Others are the operator's to choose; with these nothing can be written, or guarded.
    select
        'database', 'database', format('setting %s', o.option_name), o.option_value,
        case
            when s.setdatabase = 0 then format('alter role all reset %s;', o.option_name)
            else format('alter database %I reset %s;', d.datname, o.option_name)
        end,
        null
    from pg_database as d
    inner join pg_db_role_setting as s on s.setdatabase in (0, d.oid) and s.setrole = 0
    cross join lateral pg_options_to_table(s.setconfig) as o
    where d.datname = current_database()
        and o.option_name in ('default_transaction_read_only', 'session_replication_role')
    union all
    select
        'event trigger', 'event trigger ' || quote_ident(e.evtname), '', e.evtevent,
        format('drop event trigger %I;', e.evtname), null
    from pg_event_trigger as e
    where not exists (
        select
        from pg_depend as d
        where d.classid = 'pg_event_trigger'::regclass and d.objid = e.oid and d.deptype = 'e'
    )
    union all

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
    from default_privilege as d
    union all

    -- Functions: everything about one that replacing it sets, in words, and its text as a digest.
    select
        'function', p.name, '',
        concat_ws(
            ' ',
            format(
                '(%s) returns %s',
                pg_get_function_arguments(p.oid), pg_get_function_result(p.oid)
            ),
            l.lanname,
            case p.provolatile when 'i' then 'immutable' when 's' then 'stable' else 'volatile' end,
            case when p.prosecdef then 'security definer' end,
            case when p.proisstrict then 'strict' end,
            case when p.proleakproof then 'leakproof' end,
            case p.proparallel
                when 's' then 'parallel safe' when 'r' then 'parallel restricted'
            end,
            format('cost %s rows %s', p.procost, p.prorows),
            'set ' || array_to_string(p.proconfig, ', '),
            'text ' || left(
                encode(
                    sha256(convert_to(coalesce(pg_get_function_sqlbody(p.oid), p.prosrc), 'UTF8')),
                    'hex'
                ),
                32
            )
        ),
        null, case when p.is_frozen then pg_get_functiondef(p.oid) || ';' end
    from routine as p
    inner join pg_language as l on l.oid = p.prolang
    where p.prokind = 'f'
    union all
    -- Replacing cannot change these two: the function has to go first.
    select
        'signature', p.name, '',
        format('(%s) returns %s', pg_get_function_arguments(p.oid), pg_get_function_result(p.oid)),
        format('drop %s;', p.name), null
    from routine as p
    where p.prokind = 'f' and not p.is_frozen
    union all

    -- Tables and views.
    select
        'table', r.name, 'kind',
        case r.relpersistence
            when 'u' then 'unlogged' when 'p' then 'permanent' else 'temporary'
        end,
        null, format('alter table %s set logged;', r.identity)
    from relation as r
    where r.relkind = 'r'
    union all
    select
        'table', r.name, f.part, case when f.is_set then 'on' else 'off' end, null,
        format('alter table %s %s;', r.identity, f.off)
    from relation as r
    cross join lateral (
        values
        ('row level security', r.relrowsecurity, 'disable row level security'),
        ('forced row level security', r.relforcerowsecurity, 'no force row level security')
    ) as f (part, is_set, off)
    where r.relkind = 'r'
    union all
    -- How a table is vacuumed is the operator's.
    select
        'option', r.name, o.option_name, o.option_value,
        format('alter %s reset (%s);', r.name, o.option_name),
        format('alter %s set (%s = %s);', r.name, o.option_name, o.option_value)
    from relation as r
    cross join lateral pg_options_to_table(r.reloptions) as o
    where o.option_name !~ 'vacuum|parallel_workers|toast_tuple_target'
    union all
    select
        'inherits', r.name, 'child ' || i.inhrelid::regclass::text, 'adds its rows',
        format('alter table %s no inherit %s;', i.inhrelid::regclass, r.identity), null
    from relation as r
    inner join pg_inherits as i on i.inhparent = r.oid
    union all
    -- Without the qualifiers, which older versions write where younger ones do not.
    select
        'view', r.name, '',
        left(
            encode(
                sha256(
                    convert_to(
                        regexp_replace(
                            pg_get_viewdef(r.oid) collate "C", '\m\w+\.|[\s();]+', '', 'g'
                        ),
                        'UTF8'
                    )
                ),
                'hex'
            ),
            32
        ),
        null, null
    from relation as r
    where r.relkind = 'v'
    union all
    -- Replacing a view can add columns and nothing else: any other view has to go first.
    select
        'view columns', r.name, '',
        string_agg(
            format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod)), ', '
            order by a.attnum
        ),
        format('drop %s;', r.name), null
    from relation as r
    inner join pg_attribute as a on a.attrelid = r.oid and a.attnum > 0
    where r.relkind = 'v'
    group by r.name
    union all
    select
        'column', r.name, format('column %I', a.attname), 'exists',
        format('alter table %s drop column %I;', r.identity, a.attname),
        '-- its values are lost: restore the last dump, cmbs restore FILE'
    from relation as r
    inner join pg_attribute as a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
    where r.relkind = 'r'
    union all
    select
        'column', r.name, format('%s of column %I', f.part, a.attname), f.fact, f.undo, f.redo
    from relation as r
    inner join pg_attribute as a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
    left join pg_collation as k on k.oid = a.attcollation
    left join pg_attrdef as d on d.adrelid = a.attrelid and d.adnum = a.attnum
    inner join pg_type as t on t.oid = a.atttypid
    cross join lateral (
        select
            case a.attstorage
                when 'p' then 'plain' when 'e' then 'external' when 'm' then 'main' else 'extended'
            end
    ) as s (storage)
    cross join lateral
        format('alter table %s alter column %I', r.identity, a.attname) as alter_column
    cross join lateral concat_ws(
        ' ', format_type(a.atttypid, a.atttypmod),
        case when k.collname <> 'default' then format('collate %I', k.collname) end
    ) as type_name
    cross join lateral (
        values
        ('type', type_name, null, format('%s type %s;', alter_column, type_name)),
        (
            'not null', case when a.attnotnull then 'yes' end,
            format('%s drop not null;', alter_column), format('%s set not null;', alter_column)
        ),
        (
            'default', pg_get_expr(d.adbin, d.adrelid), format('%s drop default;', alter_column),
            null
        ),
        (
            'identity', nullif(a.attidentity::text, ''),
            format('%s drop identity;', alter_column), null
        ),
        (
            'storage', case when a.attstorage <> t.typstorage then s.storage end,
            format(
                '%s set storage %s;', alter_column,
                case t.typstorage
                    when 'p' then 'plain' when 'e' then 'external' when 'm' then 'main'
                    else 'extended'
                end
            ),
            format('%s set storage %s;', alter_column, s.storage)
        ),
        (
            'options', array_to_string(a.attoptions, ', '),
            format(
                '%s reset (%s);', alter_column,
                (select string_agg(o.option_name, ', ') from pg_options_to_table(a.attoptions) as o)
            ),
            format('%s set (%s);', alter_column, array_to_string(a.attoptions, ', '))
        )
    ) as f (part, fact, undo, redo)
    where r.relkind = 'r' and f.fact is not null
    union all
    select
        'constraint', r.name, format('constraint %I', k.conname), pg_get_constraintdef(k.oid),
        format('alter table %s drop constraint %I;', r.identity, k.conname),
        format('alter table %s drop constraint if exists %I, ', r.identity, k.conname)
        || format('add constraint %I %s;', k.conname, pg_get_constraintdef(k.oid))
    from relation as r
    inner join pg_constraint as k on k.conrelid = r.oid and k.contype in ('c', 'f', 'p', 'u', 'x')
    union all
    select
        'constraint', r.name, format('constraint %I on table %s', k.conname, k.conrelid::regclass),
        'refers to it',
        format('alter table %s drop constraint %I;', k.conrelid::regclass, k.conname), null
    from relation as r
    inner join pg_constraint as k on k.confrelid = r.oid
    where k.conparentid = 0 and k.conrelid not in (select o.oid from relation as o)
    union all
    select
        'index', r.name, format('index %I', c.relname),
        pg_get_indexdef(i.indexrelid) || case when i.indisvalid then '' else ' (invalid)' end,
        format('drop index %s;', c.oid::regclass),
        format('drop index if exists %s; %s;', c.oid::regclass, pg_get_indexdef(i.indexrelid))
    from relation as r
    inner join pg_index as i on i.indrelid = r.oid
    inner join pg_class as c on c.oid = i.indexrelid
    where not exists (
        select
        from pg_constraint as k
        where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x')
    )
    union all

    -- What acts on its own when a table is touched.
    select
        'trigger', r.name, format('trigger %I', t.tgname), pg_get_triggerdef(t.oid),
        format('drop trigger %I on %s;', t.tgname, r.identity), '-- cmbs migrate'
    from relation as r
    inner join pg_trigger as t on t.tgrelid = r.oid and not t.tgisinternal
    union all
    select
        'trigger', coalesce(k.name, r.name),
        case
            when t.tgisinternal then format('%s of constraint %I', t.tgfoid::regproc, k.conname)
            else format('firing of trigger %I', t.tgname)
        end,
        case t.tgenabled
            when 'A' then 'always' when 'O' then 'origin' when 'R' then 'replica' else 'disabled'
        end,
        -- A trigger for a foreign key is named by a number, so how to mend it is said by what is.
        case
            when t.tgisinternal
                then format('alter table %s enable trigger %I;', r.identity, t.tgname)
        end,
        case
            when not t.tgisinternal
                then format(
                    'alter table %s enable %s %I;', r.identity,
                    case t.tgenabled when 'A' then 'always trigger' else 'trigger' end, t.tgname
                )
        end
    from relation as r
    inner join pg_trigger as t on t.tgrelid = r.oid
    left join (
        select c.oid, c.conname, o.name
        from pg_constraint as c
        inner join relation as o on o.oid = c.conrelid
    ) as k on k.oid = t.tgconstraint
    -- Those of a foreign key of somebody else go with it.
    where not t.tgisinternal or k.oid is not null
    union all
    select
        'rule', r.name, format('rule %I', w.rulename), 'exists',
        format('drop rule %I on %s;', w.rulename, r.identity), null
    from relation as r
    inner join pg_rewrite as w on w.ev_class = r.oid and w.rulename <> '_RETURN'
    union all
    select
        'policy', r.name, format('policy %I', p.polname), 'exists',
        format('drop policy %I on %s;', p.polname, r.identity), null
    from relation as r
    inner join pg_policy as p on p.polrelid = r.oid
    union all

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
)

select
    f.kind,
    f.name,
    f.part,
    f.fact,
    f.undo,
    f.redo
from fact as f
order by f.kind collate "C", f.name collate "C", f.part collate "C";
