-- cmbs_store.answer_fault
--
-- What is wrong with a recorded answer to a question; null if nothing is.
--
-- Raises     MB012 INTERRUPT_NOT_FOUND.

create or replace function cmbs_store.answer_fault(
    p_state cmbs_store.session,
    p_actor text,
    p_payload jsonb,
    p_at timestamptz
)
returns text
language plpgsql
stable
as $$
declare
    v_interrupt cmbs_store.interrupt := cmbs_store.interrupt_of(
        p_state, (p_payload ->> 'interrupt_id')::uuid
    );
begin
    return case
        when cmbs_store.refusal_of_answer(p_state, v_interrupt, p_actor, p_at) is not null
            then 'the question does not take this answer: '
                || cmbs_store.refusal_of_answer(p_state, v_interrupt, p_actor, p_at)
        when p_payload ->> 'action_digest' <> encode(v_interrupt.action_digest, 'hex')
            then 'the question was about something else'
        when p_payload ->> 'resolution' not in ('approve', 'decline', 'cancel')
            then 'there is no such answer'
    end;
end
$$;
