-- cmbs_store.decide_gate
--
-- What a gate answers to a request, from the state before it: the decision and its reason, or the
-- error with which its verb refuses. For the verbs, and for those who replay a log or look ahead.
--
-- p_state     the state before the event; comes back as after it, unchanged by an error
-- p_payload   the request as it is recorded; what was decided then is not looked at
-- p_error     the code of the error, null if there is none

create or replace function cmbs_store.decide_gate(
    inout p_state cmbs_store.session,
    p_verb text,
    p_payload jsonb,
    out p_approved boolean,
    out p_reason text,
    out p_error text
)
language plpgsql
stable
as $$
declare
    v_blocked boolean := p_state.obligation_id is not null;
    v_force boolean := coalesce(p_payload -> 'context' -> 'force' = 'true', false);
begin
    p_error := case
        when p_state.is_terminated then 'SESSION_TERMINATED'
        when p_verb = 'ENTER_OBLIGATION' and v_blocked then 'CONFLICT'
        when p_verb in ('REQUEST_EXIT', 'WAIVE_OBLIGATION')
            and p_state.obligation_id is distinct from p_payload ->> 'obligation_id'
            then 'OBLIGATION_NOT_FOUND'
    end;
    if p_error is not null then
        return;
    end if;
    case p_verb
        when 'ENTER_OBLIGATION' then
            p_state.obligation_seq := p_state.audit_seq;
            p_state.obligation_id := p_payload ->> 'obligation_id';
            p_state.obligation_minimum := (p_payload ->> 'min_total_eliminations')::bigint;
            p_state.obligation_survivors := p_state.n_survivors;
        when 'REQUEST_EXIT', 'WAIVE_OBLIGATION' then
            p_approved := p_verb = 'WAIVE_OBLIGATION'
                or p_state.obligation_survivors - p_state.n_survivors >= p_state.obligation_minimum;
            p_reason := case
                when p_verb = 'WAIVE_OBLIGATION' then 'waived'
                when p_approved then 'approved'
                else 'minimum eliminations not met'
            end;
            if p_approved then
                p_state := cmbs_store.without_obligation(p_state);
            end if;
        when 'DECLARE_CONCLUSION' then
            p_approved := not v_blocked;
            p_reason := case
                when v_blocked then 'active obligation blocks conclusion' else 'accepted'
            end;
            if p_approved then
                p_state.conclusion_run := 1 + case
                    when p_state.conclusion_id = p_payload ->> 'conclusion_id'
                        then p_state.conclusion_run
                    else 0
                end;
                p_state.conclusion_id := p_payload ->> 'conclusion_id';
            end if;
        when 'REQUEST_TERMINATION' then
            p_reason := case
                when v_blocked then 'active obligation blocks termination'
                when v_force and p_state.allow_forced_termination then 'approved by force'
                when p_state.n_survivors = 1
                    and p_state.conclusion_run >= p_state.stability_window then 'approved'
                when p_state.n_survivors = 1 and not v_force then 'conclusion not stable'
                when v_force then 'force not allowed by policy'
                else 'termination requires a singleton survivor'
            end;
            p_approved := p_reason in ('approved', 'approved by force');
            p_state.is_terminated := p_approved;
        else
            p_error := 'INVALID_REQUEST';
    end case;
end
$$;
