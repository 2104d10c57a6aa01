-- cmbs_store.announce
--
-- Puts into the outbox that something happened to questions of a session, if somebody is to be
-- told.

create or replace function cmbs_store.announce(
    p_session cmbs_store.session,
    p_event text,
    p_interrupt_ids uuid[]
)
returns void
language sql
volatile
as $$
    insert into cmbs_store.webhook_message (
        session_id, message_id, tenant, event, interrupt_id, created_at,
        state, n_attempts, next_at
    )
    select
        p_session.session_id, cmbs_store.random_id(), p_session.tenant, p_event, i.interrupt_id,
        p_session.audit_head_at, 'pending', 0, p_session.audit_head_at
    from cmbs_store.webhook_in_force(p_session.tenant) as w
    cross join unnest(p_interrupt_ids) as i (interrupt_id)
    where w.url is not null
$$;
