-- cmbs_store.session_metrics
--
-- How many sessions are open, stuck in an obligation, or terminated, how many events their logs
-- have, and how many bytes these and all tables take.
--
-- Each session counts its events, so its row says what else would take a scan of the log. That scan
-- of the rows is cheap because an index over obligations would make their updates no longer HOT.

create or replace function cmbs_store.session_metrics()
returns json
language sql
stable
as $$
    select json_build_object(
        'n_open', count(*) filter (where not s.is_terminated and s.obligation_seq is null),
        'n_stuck', count(*) filter (where not s.is_terminated and s.obligation_seq is not null),
        'n_terminated', count(*) filter (where s.is_terminated),
        'n_events', coalesce(sum(s.audit_seq), 0),
        'log_bytes', pg_total_relation_size('cmbs_store.audit_event'),
        'table_bytes', (
            select sum(pg_total_relation_size(c.oid))
            from pg_class as c
            where c.relnamespace = 'cmbs_store'::regnamespace and c.relkind = 'r'
        )
    )
    from cmbs_store.session as s
$$;
