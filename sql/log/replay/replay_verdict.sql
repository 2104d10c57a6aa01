-- cmbs_store.replay_verdict
--
-- Decides a recorded proposal or claim again, by the policy that its record names, and says what is
-- wrong with the recorded verdict; null if nothing is.
--
-- p_state   the replayed session before the event

create or replace function cmbs_store.replay_verdict(
    p_state cmbs_store.session,
    p_event cmbs_store.audit_event,
    p_payload jsonb
)
returns text
language plpgsql
stable
as $$
declare
    v_given cmbs_store.verdict_input := cmbs_store.input_of_record(p_payload);
    v_fault text := cmbs_store.proposal_fault(p_state, p_event.actor, v_given);
    v_shadow jsonb;
    v_verdict jsonb;
begin
    if p_payload -> 'policy' ->> 'policy_hash'
        <> encode((cmbs_store.policy_in_force(p_state)).policy_hash, 'hex')
    then
        return 'the policy is not the one in force';
    elsif v_fault is not null then
        return v_fault;
    elsif p_payload ->> 'reason_code' = 'EVALUATION_ERROR' then
        -- What went wrong then may be mended now; nothing can have come of it.
        return case
            when p_payload ->> 'decision' <> 'deny'
                or jsonb_path_exists(p_payload, '$.items[*] ? (@.effective == true)')
                then 'an error permitted something'
        end;
    end if;
    if p_event.verb = 'PROPOSE' and (cmbs_store.recorded_proposal(
        p_event.session_id, p_event.actor, p_payload -> 'proposal'
    )).p_event_id <> p_event.event_id then
        return 'the proposal was recorded before';
    end if;
    if p_payload #>> '{shadow,reason_code}' = 'EVALUATION_ERROR' then
        -- As well: but it must not have said that something passes.
        v_shadow := p_payload -> 'shadow';
        if v_shadow ->> 'decision' <> 'deny'
            or jsonb_path_exists(v_shadow, '$.items[*] ? (@.effective == true)')
        then
            return 'an error permitted something';
        end if;
        p_payload := p_payload - 'shadow';
    end if;
    v_verdict := cmbs_store.decide_with_shadow(p_state, p_event.actor, v_given, p_payload);
    if v_shadow is not null then
        v_verdict := v_verdict - 'shadow';
    end if;
    if p_payload <> cmbs_store.input_json(v_given) || v_verdict then
        return 'the recorded decision is not the one that follows';
    end if;
    return null;
end
$$;
