-- cmbs_store.session_before
--
-- A session as it stood right before an event of its log, which is not the first.

create or replace function cmbs_store.session_before(
    p_session cmbs_store.session,
    p_seq bigint
)
returns cmbs_store.session
language sql
stable
as $$
    select (cmbs_store.session_as_of(p_session, e.event_id)).*
    from cmbs_store.audit_event as e
    where e.session_id = p_session.session_id and e.seq = p_seq - 1
$$;
