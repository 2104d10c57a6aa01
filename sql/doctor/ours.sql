-- What of the catalog is ours: the beginning of every statement in facts/, which say it as facts
-- that can be compared with those of another database.
--
-- `cmbs doctor` runs each of them as it stands, on databases of any state: they call nothing of
-- ours, read catalogs that everybody may read, and change nothing. The facts of a fresh database
-- are the same on every supported version of PostgreSQL.
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
            'cmbs_analyst', 'cmbs_admin', 'cmbs_server'
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
)

