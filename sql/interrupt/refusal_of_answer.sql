-- cmbs_store.refusal_of_answer
--
-- Why a question does not take an answer by somebody, as a reason code; null if it does. As of the
-- event that the session is given as of.

create or replace function cmbs_store.refusal_of_answer(
    p_session cmbs_store.session,
    p_interrupt cmbs_store.interrupt,
    p_actor text,
    p_at timestamptz
)
returns text
language sql
stable
as $$
    select case
        when exists (
            select
            from cmbs_store.proposal as p
            where p.session_id = p_session.session_id
                and p.seq = p_interrupt.seq
                and p.actor = p_actor
        ) then 'APPROVAL_OWN_REQUEST'
        else case s.state
            when 'pending' then null
            when 'superseded' then 'APPROVAL_SUPERSEDED'
            when 'expired' then 'APPROVAL_EXPIRED'
            else 'APPROVAL_RESOLVED'
        end
    end
    from cmbs_store.interrupt_state(p_session, p_interrupt, p_at) as s (state)
$$;
