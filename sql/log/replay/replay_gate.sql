-- cmbs_store.replay_gate
--
-- Decides one gate event again, from the state before it and the payload of the request, and says
-- whether the recorded decision is another.
--
-- p_state   the replayed session before the event; comes back as after it

create or replace function cmbs_store.replay_gate(
    inout p_state cmbs_store.session,
    p_verb text,
    p_payload jsonb,
    out p_fault text
)
language plpgsql
stable
as $$
declare
    v_decision record := cmbs_store.decide_gate(p_state, p_verb, p_payload);
begin
    p_state := v_decision.p_state;
    if v_decision.p_error is not null then
        p_fault := case v_decision.p_error
            when 'CONFLICT' then 'an obligation was entered while another was active'
            when 'OBLIGATION_NOT_FOUND' then 'an obligation was left that was not active'
            else 'the verb is not known'
        end;
    elsif coalesce(p_payload -> 'approved', p_payload -> 'accepted')
        is distinct from to_jsonb(v_decision.p_approved)
        or p_payload ->> 'reason' is distinct from v_decision.p_reason
    then
        p_fault := format(
            'the recorded decision is not the one that follows: %s', v_decision.p_reason
        );
    end if;
end
$$;
