-- cmbs_store.eliminated_between
--
-- The hypotheses that the events of a stretch of the log eliminated, in the order of the events,
-- each with its event; as JSON text, p_limit of them.

create or replace function cmbs_store.eliminated_between(
    p_session_id uuid,
    p_after bigint,
    p_until bigint,
    p_limit integer
)
returns text
language sql
stable
as $$
    select string_agg(
        format(
            '{"hypothesis_id": %s, "event_id": "%s", "seq": %s, "ts": "%s", '
            '"source_id": %s, "observation_id": %s}',
            to_json(g.hypothesis_id),
            e.event_id,
            g.seq,
            cmbs_store.timestamp_v1(e.recorded_at),
            to_json(e.source_id),
            to_json(e.observation_id)
        ),
        ', ' order by g.seq, g.hypothesis_id
    )
    from (
        select t.seq, t.hypothesis_id
        from cmbs_store.tombstone as t
        where t.session_id = p_session_id and t.seq > p_after and t.seq <= p_until
        order by t.seq, t.hypothesis_id
        limit p_limit
    ) as g
    cross join lateral (
        select a.event_id, a.recorded_at, a.source_id, a.observation_id
        from cmbs_store.audit_event as a
        where a.session_id = p_session_id and a.seq = g.seq
        limit 1
    ) as e
$$;
