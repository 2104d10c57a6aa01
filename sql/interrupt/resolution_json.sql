-- cmbs_store.resolution_json
--
-- The answer to a question as it is shown; null if there is none.

create or replace function cmbs_store.resolution_json(
    p_interrupt cmbs_store.interrupt
)
returns json
language sql
stable
as $$
    select json_build_object(
        'resolution', r.resolution,
        'by', r.actor,
        'at', cmbs_store.timestamp_v1(e.recorded_at),
        'comment', e.record::jsonb -> 'payload' -> 'comment',
        'audit_event_id', e.event_id
    )
    from cmbs_store.interrupt_resolution as r
    inner join cmbs_store.audit_event as e on e.session_id = r.session_id and e.seq = r.seq
    where r.session_id = p_interrupt.session_id and r.interrupt_id = p_interrupt.interrupt_id
$$;
