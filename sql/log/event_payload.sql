-- cmbs_store.event_payload
--
-- The payload of an event of a session by its number.

create or replace function cmbs_store.event_payload(
    p_session_id uuid,
    p_seq bigint
)
returns jsonb
language sql
stable
as $$
    select e.record::jsonb -> 'payload'
    from cmbs_store.audit_event as e
    where e.session_id = p_session_id and e.seq = p_seq
$$;
