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
where r.relkind = 'r';
