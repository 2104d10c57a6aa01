-- Columns, constraints and indexes.
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
    -- Those that a command can set: a server may keep notes of its own among them.
    select
        string_agg(format('%s=%s', o.option_name, o.option_value), ', '),
        string_agg(o.option_name, ', ')
    from pg_options_to_table(a.attoptions) as o
    where o.option_name in ('n_distinct', 'n_distinct_inherited')
) as o (options, names)
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
        'options', o.options,
        format('%s reset (%s);', alter_column, o.names),
        format('%s set (%s);', alter_column, o.options)
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
);
