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
);
