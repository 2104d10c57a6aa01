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
inner join pg_policy as p on p.polrelid = r.oid;
