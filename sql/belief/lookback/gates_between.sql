-- cmbs_store.gates_between
--
-- What was asked of the gates in a stretch of the log, and what they said; as JSON text, p_limit of
-- them.

create or replace function cmbs_store.gates_between(
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
        json_build_object(
            'event_id', g.event_id,
            'seq', g.seq,
            'ts', cmbs_store.timestamp_v1(g.recorded_at),
            'verb', g.verb,
            'subject_id', coalesce(g.payload ->> 'obligation_id', g.payload ->> 'conclusion_id'),
            'approved', coalesce(g.payload -> 'approved', g.payload -> 'accepted'),
            'reason', g.payload -> 'reason'
        )::text,
        ', ' order by g.seq
    )
    from (
        select e.seq, e.event_id, e.recorded_at, e.verb, e.record::jsonb -> 'payload' as payload
        from cmbs_store.audit_event as e
        where e.session_id = p_session_id
            and e.seq > p_after
            and e.seq <= p_until
            and e.verb <> 'ELIMINATE'
            and not cmbs_store.is_arbitration(e.verb)
        order by e.seq
        limit p_limit
    ) as g
$$;
