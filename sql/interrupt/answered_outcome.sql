-- cmbs_store.answered_outcome
--
-- The members of an answer that tell how a question was answered, as JSON text.

create or replace function cmbs_store.answered_outcome(
    p_session cmbs_store.session,
    p_interrupt cmbs_store.interrupt,
    p_resolution text
)
returns text
language sql
stable
as $$
    select format(
        '"interrupt_id": "%s", "status": "%s", "proposal_id": "%s", ',
        p_interrupt.interrupt_id,
        case p_resolution
            when 'approve' then 'approved' when 'decline' then 'declined' else 'cancelled'
        end,
        (
            select e.event_id
            from cmbs_store.audit_event as e
            where e.session_id = p_session.session_id and e.seq = p_interrupt.seq
        )
    )
$$;
