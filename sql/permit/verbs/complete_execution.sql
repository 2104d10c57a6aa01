-- cmbs.complete_execution
--
-- Records how the execution of a permit ended (verb COMPLETE_EXECUTION), by whoever began it: its
-- outcome, its result, and what it used up. The reservation is settled, or released if it failed.
--
-- p_outcome   ok or error
-- p_usage     unit -> whole number; a call that was made counts one of max_calls at least
-- Promises    one end for each beginning; the same end again is answered as recorded. A session
--             that is terminated still takes it.
-- Locks       the session row, first thing.
-- Raises      MB001 SESSION_NOT_FOUND, MB011 PERMIT_NOT_FOUND, MB102 and MB103 CONFLICT,
--             MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE, MB302 FORBIDDEN.

create or replace function cmbs.complete_execution(
    p_session_id uuid,
    p_permit_id uuid,
    p_outcome text,
    p_result json default null,
    p_usage json default null,
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
        p_credential, 'complete_execution', '{agent, encoder, tool}'
    );
    v_content jsonb := cmbs_store.checked_completion(p_permit_id, p_outcome, p_result, p_usage);
    v_session cmbs_store.session;
    v_open cmbs_store.session;
    v_permit cmbs_store.permit;
    v_outcome text;
begin
    perform cmbs_store.check_envelope(p_session_id, p_request_id, p_notes);
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    v_permit := cmbs_store.permit_of(v_session, p_permit_id);
    perform cmbs_store.recorded_message(
        p_session_id, p_request_id, 'COMPLETE_EXECUTION', v_content
    );
    perform cmbs_store.check_beginner(v_session, v_caller, v_permit);
    perform cmbs_store.check_units(v_session, v_permit, v_content -> 'usage');
    v_outcome := cmbs_store.recorded_completion(v_session, v_permit, v_content);
    if v_outcome is null then
        v_open := v_session;
        v_open.is_terminated := false;
        perform cmbs_store.check_open(v_open, p_expected_head);
        v_content := cmbs_store.with_request_id(v_content, p_request_id);
        v_session := cmbs_store.append_event(
            v_session, v_session.survivors_hash, 'COMPLETE_EXECUTION', v_caller.name,
            null, null, p_request_id, p_notes, v_content::text, '[]'
        );
        perform cmbs_store.project_event(
            p_session_id, v_session.audit_seq, v_caller.name, 'COMPLETE_EXECUTION', v_content
        );
        v_outcome := cmbs_store.outcome(v_content, v_session.audit_head_event_id, false);
    end if;
    return cmbs_store.response(
        format(
            '"permit_id": "%s", "status": %s, "result_hash": %s, %s',
            p_permit_id, v_content -> 'status', v_content -> 'result_hash', v_outcome
        ),
        v_session, p_minimal
    );
end
$$;

grant execute on function cmbs.complete_execution to cmbs_server, cmbs_agent;
