-- cmbs_store.replay_execution
--
-- Decides one event of execution, approval or upkeep again, and says what is wrong with what was
-- recorded; null if nothing is.
--
-- p_state   the replayed session before the event

create or replace function cmbs_store.replay_execution(
    p_state cmbs_store.session,
    p_event cmbs_store.audit_event,
    p_payload jsonb
)
returns text
language plpgsql
stable
as $$
declare
    v_permit cmbs_store.permit;
    v_origin jsonb;
    v_found record;
begin
    if p_event.verb = 'SET_MODE' then
        return case
            when cmbs_store.mode_setting('{}', p_payload ->> 'mode') is null
                then 'there is no such mode'
        end;
    elsif p_event.verb = 'RESOLVE_INTERRUPT' then
        return cmbs_store.answer_fault(
            p_state, p_event.actor, p_payload, (p_payload ->> 'decided_at')::timestamptz
        );
    elsif p_event.verb = 'SWEEP_EXPIRED' then
        return cmbs_store.sweep_fault(p_state, p_payload);
    end if;
    v_permit := cmbs_store.permit_of(p_state, (p_payload ->> 'permit_id')::uuid);
    if p_event.verb = 'COMPLETE_EXECUTION' then
        return cmbs_store.completion_fault(p_state, p_event.actor, v_permit, p_payload);
    end if;
    v_origin := cmbs_store.event_payload(p_state.session_id, v_permit.seq);
    v_found := cmbs_store.begin_fault(
        p_state, v_permit, v_origin, cmbs_store.input_of_record(p_payload), p_payload
    );
    return case
        when v_found.p_code is not null
            then 'the execution could not be begun: ' || v_found.p_code
        when (p_payload - array['permit_id', 'roles', 'decided_at', 'request_id'])::text
            <> v_found.p_basis::text
            then 'the recorded decision is not the one that follows'
    end;
exception
    when sqlstate 'MB011' or sqlstate 'MB012' then
        return 'what it goes on with is not one of the session';
end
$$;
