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
    v_blocked boolean := p_state.obligation_id is not null;
    v_approved boolean;
    v_reason text;
begin
    case p_verb
        when 'ENTER_OBLIGATION' then
            if v_blocked then
                p_fault := 'an obligation was entered while another was active';
            end if;
            p_state.obligation_seq := p_state.audit_seq;
            p_state.obligation_id := p_payload ->> 'obligation_id';
            p_state.obligation_minimum := (p_payload ->> 'min_total_eliminations')::bigint;
            p_state.obligation_survivors := p_state.n_survivors;
            return;
        when 'REQUEST_EXIT', 'WAIVE_OBLIGATION' then
            if p_state.obligation_id is distinct from p_payload ->> 'obligation_id' then
                p_fault := 'an obligation was left that was not active';
                return;
            end if;
            v_approved := p_verb = 'WAIVE_OBLIGATION'
                or p_state.obligation_survivors - p_state.n_survivors >= p_state.obligation_minimum;
            v_reason := case
                when p_verb = 'WAIVE_OBLIGATION' then 'waived'
                when v_approved then 'approved'
                else 'minimum eliminations not met'
            end;
            if v_approved then
                p_state := cmbs_store.without_obligation(p_state);
            end if;
        when 'DECLARE_CONCLUSION' then
            v_approved := not v_blocked;
            v_reason := case
                when v_blocked then 'active obligation blocks conclusion' else 'accepted'
            end;
            if v_approved then
                p_state.conclusion_run := 1 + case
                    when p_state.conclusion_id = p_payload ->> 'conclusion_id'
                        then p_state.conclusion_run
                    else 0
                end;
                p_state.conclusion_id := p_payload ->> 'conclusion_id';
            end if;
        when 'REQUEST_TERMINATION' then
            v_reason := cmbs_store.termination_reason(
                v_blocked,
                p_state.n_survivors,
                p_state.conclusion_run >= p_state.stability_window,
                coalesce(p_payload -> 'context' -> 'force' = 'true', false),
                p_state.allow_forced_termination
            );
            v_approved := v_reason in ('approved', 'approved by force');
            p_state.is_terminated := v_approved;
        else
            p_fault := 'the verb is not known';
            return;
    end case;
    if coalesce(p_payload -> 'approved', p_payload -> 'accepted')
        is distinct from to_jsonb(v_approved)
        or p_payload ->> 'reason' is distinct from v_reason
    then
        p_fault := format('the recorded decision is not the one that follows: %s', v_reason);
    end if;
end
$$;

comment on function cmbs_store.replay_gate(cmbs_store.session, text, jsonb) is
'Decide one gate event again; say whether the record differs.';

revoke all on function cmbs_store.replay_gate(cmbs_store.session, text, jsonb) from public;
