-- cmbs_store.eliminations_by_source
--
-- Who eliminated how much, and by which events, newest first; as JSON text. The ids stand in the
-- records of the events that are shown, because tombstones are not found by their event.
--
-- p_seq      only this event; null for all
-- p_limit    how many sources, and how many events

create or replace function cmbs_store.eliminations_by_source(
    p_session_id uuid,
    p_seq bigint,
    p_limit integer
)
returns text
language plpgsql
stable
as $$
declare
    v_sums text;
    v_sources text;
    v_events text;
begin
    with effect as materialized (
        select t.seq, count(*) as n
        from cmbs_store.tombstone as t
        where t.session_id = p_session_id and coalesce(t.seq = p_seq, true)
        group by t.seq
    ), source as materialized (
        select a.source_id, count(*) as n_events, sum(f.n) as n_eliminated
        from effect as f
        cross join lateral (
            select e.source_id
            from cmbs_store.audit_event as e
            where e.session_id = p_session_id and e.seq = f.seq
            limit 1
        ) as a
        group by a.source_id
    )
    select
        (
            select format(
                '"n_eliminated": %s, "n_events": %s, "n_sources": %s',
                coalesce(sum(s.n_eliminated), 0), coalesce(sum(s.n_events), 0), count(*)
            )
            from source as s
        ),
        (
            select string_agg(to_json(s)::text, ', ' order by s.n_eliminated desc, s.source_id)
            from (
                select o.source_id, o.n_events, o.n_eliminated
                from source as o
                order by o.n_eliminated desc, o.source_id
                limit p_limit
            ) as s
        ),
        (
            select string_agg(
                cmbs_store.elimination_json(p_session_id, f.seq, f.n), ', ' order by f.seq desc
            )
            from (select o.seq, o.n from effect as o order by o.seq desc limit p_limit) as f
        )
    into v_sums, v_sources, v_events;
    return format('{%s, "sources": [%s], "events": [%s]}', v_sums, v_sources, v_events);
end
$$;
