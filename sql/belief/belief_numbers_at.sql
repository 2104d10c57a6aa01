-- cmbs_store.belief_numbers_at
--
-- What was believed in a session right after its head event, in numbers, and that event; as JSON
-- text.

create or replace function cmbs_store.belief_numbers_at(
    p_session cmbs_store.session
)
returns text
language sql
stable
as $$
    select format(
        '{"event_id": "%s", "seq": %s, "ts": "%s", %s}',
        p_session.audit_head_event_id,
        p_session.audit_seq,
        cmbs_store.timestamp_v1(p_session.audit_head_at),
        cmbs_store.belief_numbers(p_session)
    )
$$;
