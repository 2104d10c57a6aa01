-- cmbs_store.recorded_answer
--
-- The recorded outcome of the same answer to a question by the same principal; null if it is new.

create or replace function cmbs_store.recorded_answer(
    p_session cmbs_store.session,
    p_interrupt cmbs_store.interrupt,
    p_actor text,
    p_content jsonb
)
returns text
language sql
stable
as $$
    select cmbs_store.outcome(e.record::jsonb -> 'payload', e.event_id, true)
    from cmbs_store.interrupt_resolution as r
    inner join cmbs_store.audit_event as e on e.session_id = r.session_id and e.seq = r.seq
    where r.session_id = p_session.session_id
        and r.interrupt_id = p_interrupt.interrupt_id
        and r.actor = p_actor
        and e.record::jsonb -> 'payload' @> p_content
$$;
