-- cmbs.begin_execution
--
-- Begins the execution of a call that was allowed (verb BEGIN_EXECUTION): whoever runs the tool may
-- run it now, once, with the arguments of the answer. In a later transaction than the decision.
--
-- Promises   permit, token, policy and what was waived are as good now as when it was allowed;
--            nobody begins it twice.
-- Locks      the session row, first thing.
-- Raises     MB001 SESSION_NOT_FOUND, MB011 PERMIT_NOT_FOUND, MB101 SESSION_TERMINATED,
--            MB102 and MB103 CONFLICT, MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE,
--            MB302 FORBIDDEN.

create or replace function cmbs.begin_execution(
    p_session_id uuid,
    p_permit_id uuid,
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
set jit = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'begin_execution', '{agent, encoder, tool}'
    );
    v_session cmbs_store.session;
    v_permit cmbs_store.permit;
    v_origin jsonb;
    v_given cmbs_store.verdict_input;
    v_payload jsonb;
    v_verdict record;
    v_outcome text;
begin
    perform cmbs_store.check_envelope(p_session_id, p_request_id, p_notes);
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    -- Who waited for the lock may act no more.
    v_caller := cmbs_store.authorize(p_credential, 'begin_execution', '{agent, encoder, tool}');
    v_permit := cmbs_store.permit_of(v_session, p_permit_id);
    perform cmbs_store.check_executor(v_caller, v_permit);
    v_outcome := cmbs_store.recorded_outcome(
        p_session_id, p_request_id, 'BEGIN_EXECUTION',
        jsonb_build_object('permit_id', p_permit_id)
    );
    v_origin := cmbs_store.event_payload(p_session_id, v_permit.seq);
    if v_outcome is not null then
        perform cmbs_store.check_beginner(v_session, v_caller, v_permit);
        return cmbs_store.response(
            cmbs_store.begun_outcome(v_permit, v_origin) || ', ' || v_outcome, v_session, p_minimal
        );
    end if;
    perform cmbs_store.check_open(v_session, p_expected_head);
    perform cmbs_store.check_isolation();
    v_given := cmbs_store.input_for_proposer(v_session, v_permit.actor, v_origin);
    v_verdict := cmbs_store.begin_fault(v_session, v_permit, v_origin, v_given, null);
    if v_verdict.p_code is not null then
        perform cmbs_store.refuse_execution(v_verdict.p_code, v_verdict.p_detail);
    end if;
    if (
        select cmbs_store.is_of_this_transaction(p.xmin)
        from cmbs_store.permit as p
        where p.session_id = p_session_id and p.permit_id = p_permit_id
    ) then
        perform cmbs_store.refuse_execution(
            'PERMIT_SAME_TRANSACTION', jsonb_build_object('permit_id', p_permit_id)
        );
    end if;
    v_given.request_id := p_request_id;
    v_payload := cmbs_store.input_json(v_given)
        || jsonb_build_object('permit_id', p_permit_id) || v_verdict.p_basis;
    v_session.audit_head_at := v_given.decided_at::timestamptz;
    v_session := cmbs_store.append_event(
        v_session, v_session.survivors_hash, 'BEGIN_EXECUTION', v_caller.name,
        null, null, p_request_id, p_notes, v_payload::text, '[]'
    );
    perform cmbs_store.project_event(
        p_session_id, v_session.audit_seq, v_caller.name, 'BEGIN_EXECUTION', v_payload
    );
    v_outcome := cmbs_store.outcome(v_payload, v_session.audit_head_event_id, false);
    return cmbs_store.response(
        cmbs_store.begun_outcome(v_permit, v_origin) || ', ' || v_outcome, v_session, p_minimal
    );
end
$$;

grant execute on function cmbs.begin_execution to cmbs_server, cmbs_agent;
