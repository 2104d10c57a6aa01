-- cmbs.waive_obligation
--
-- Ends the active obligation although it is not met (verb WAIVE_OBLIGATION): the way out of one
-- that cannot be met. For the policy role only.
--
-- Promises   the waiver and its reason are audited.
-- Locks      the session row, first thing.
-- Raises     MB001 SESSION_NOT_FOUND, MB002 OBLIGATION_NOT_FOUND, MB101 SESSION_TERMINATED,
--            MB102 and MB103 CONFLICT, MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE,
--            MB302 FORBIDDEN.

create or replace function cmbs.waive_obligation(
    p_session_id uuid,
    p_obligation_id text,
    p_reason text,
    p_request_id text default null,
    p_expected_head uuid default null,
    p_notes text default null,
    p_minimal boolean default false,
    p_credential bytea default null
)
returns json
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'waive_obligation', '{policy}'
    );
    v_content jsonb;
    v_session cmbs_store.session;
    v_entered_seq bigint;
    v_decision record;
    v_outcome text;
begin
    perform cmbs_store.check_envelope(p_session_id, p_request_id, p_notes);
    perform cmbs_store.check_id('obligation_id', p_obligation_id);
    if not cmbs_store.is_id(p_reason, 4096) then
        perform cmbs_store.refuse_request('reason', 'must be text of 1 to 4096 bytes');
    end if;
    v_content := jsonb_build_object(
        'obligation_id', p_obligation_id, 'waive_reason', p_reason
    );
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    v_outcome := cmbs_store.recorded_outcome(
        p_session_id, p_request_id, 'WAIVE_OBLIGATION', v_content
    );
    if v_outcome is not null then
        return cmbs_store.response(v_outcome, v_session, p_minimal);
    end if;
    perform cmbs_store.check_open(v_session, p_expected_head);
    perform cmbs_store.check_active_obligation(v_session, p_obligation_id);

    v_entered_seq := v_session.obligation_seq;
    v_decision := cmbs_store.decide_gate(v_session, 'WAIVE_OBLIGATION', v_content);
    v_content := cmbs_store.with_request_id(v_content, p_request_id) || jsonb_build_object(
        'approved', v_decision.p_approved, 'reason', v_decision.p_reason
    );
    v_session := cmbs_store.append_event(
        v_decision.p_state, v_session.survivors_hash, 'WAIVE_OBLIGATION', v_caller.name,
        null, null, p_request_id, p_notes, v_content::text, '[]'
    );
    insert into cmbs_store.obligation_end (
        session_id, entered_seq, ended_seq, outcome, survivors_at_end
    )
    values (p_session_id, v_entered_seq, v_session.audit_seq, 'waived', v_session.n_survivors);
    v_outcome := cmbs_store.outcome(v_content, v_session.audit_head_event_id, false);
    return cmbs_store.response(v_outcome, v_session, p_minimal);
end
$$;

grant execute on function cmbs.waive_obligation to cmbs_server, cmbs_policy;
