-- cmbs.resolve_interrupt
--
-- Answers a question about an action (verb RESOLVE_INTERRUPT): approves it, declines it, or cancels
-- the question. Who proposed the action cannot answer.
--
-- Promises   one answer for each question, in time; the same answer of the same principal again is
--            answered as recorded. Nothing is executed by it: who asked goes on with `resume`.
-- Locks      the session row, first thing.
-- Raises     MB001 SESSION_NOT_FOUND, MB012 INTERRUPT_NOT_FOUND, MB101 SESSION_TERMINATED,
--            MB102 and MB103 CONFLICT, MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE,
--            MB302 FORBIDDEN.

create or replace function cmbs.resolve_interrupt(
    p_session_id uuid,
    p_interrupt_id uuid,
    p_resolution text,
    p_comment text default null,
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
        p_credential, 'resolve_interrupt', '{approver}'
    );
    v_content jsonb := jsonb_build_object(
        'interrupt_id', p_interrupt_id, 'resolution', p_resolution,
        'comment', coalesce(p_comment, '')
    );
    v_session cmbs_store.session;
    v_interrupt cmbs_store.interrupt;
    v_time record;
    v_code text;
    v_outcome text;
begin
    perform cmbs_store.check_envelope(p_session_id, p_request_id, p_notes);
    perform cmbs_store.check_answer(p_resolution, p_comment);
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    -- Who waited for the lock may act no more.
    v_caller := cmbs_store.authorize(p_credential, 'resolve_interrupt', '{approver}');
    v_interrupt := cmbs_store.interrupt_of(v_session, p_interrupt_id);
    perform cmbs_store.recorded_message(
        p_session_id, p_request_id, 'RESOLVE_INTERRUPT', v_content
    );
    v_outcome := cmbs_store.recorded_answer(v_session, v_interrupt, v_caller.name, v_content);
    if v_outcome is null then
        perform cmbs_store.check_open(v_session, p_expected_head);
        v_time := cmbs_store.session_time(v_session);
        v_code := cmbs_store.refusal_of_answer(
            v_session, v_interrupt, v_caller.name, v_time.p_until
        );
        if v_code is not null then
            perform cmbs_store.refuse_execution(v_code, jsonb_build_object(
                'interrupt_id', p_interrupt_id,
                'expires_at', cmbs_store.timestamp_v1(v_interrupt.expires_at),
                'resolution', cmbs_store.resolution_json(v_interrupt)
            ));
        end if;
        v_content := cmbs_store.with_request_id(v_content, p_request_id) || jsonb_build_object(
            'action_digest', encode(v_interrupt.action_digest, 'hex'),
            'decided_at', cmbs_store.timestamp_v1(v_time.p_at)
        );
        v_session.audit_head_at := v_time.p_at;
        v_session := cmbs_store.append_event(
            v_session, v_session.survivors_hash, 'RESOLVE_INTERRUPT', v_caller.name,
            null, null, p_request_id, p_notes, v_content::text, '[]'
        );
        perform cmbs_store.project_event(
            p_session_id, v_session.audit_seq, v_caller.name, 'RESOLVE_INTERRUPT', v_content
        );
        perform cmbs_store.announce(
            v_session, 'interrupt.resolved', array[p_interrupt_id]
        );
        v_outcome := cmbs_store.outcome(v_content, v_session.audit_head_event_id, false);
    end if;
    return cmbs_store.response(
        cmbs_store.answered_outcome(v_session, v_interrupt, p_resolution) || v_outcome,
        v_session, p_minimal
    );
end
$$;

grant execute on function cmbs.resolve_interrupt to cmbs_server, cmbs_agent, cmbs_policy;
