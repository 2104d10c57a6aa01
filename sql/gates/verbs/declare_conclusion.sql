-- cmbs.declare_conclusion
--
-- Declares a conclusion (verb DECLARE_CONCLUSION). The session counts how often the last accepted
-- one was repeated, so that the stability window is one comparison.
--
-- Promises   accepted iff no obligation is active; a denial is an answer and audited alike.
-- Locks      the session row, first thing.
-- Raises     MB001 SESSION_NOT_FOUND, MB101 SESSION_TERMINATED, MB102 and MB103 CONFLICT,
--            MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs.declare_conclusion(
    p_session_id uuid,
    p_conclusion_id text,
    p_context json default null,
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
        p_credential, 'declare_conclusion', '{agent}'
    );
    v_context text := coalesce(cmbs_store.free_object('context', p_context), '{}');
    v_content jsonb;
    v_session cmbs_store.session;
    v_decision record;
    v_outcome text;
begin
    perform cmbs_store.check_envelope(p_session_id, p_request_id, p_notes);
    perform cmbs_store.check_id('conclusion_id', p_conclusion_id);
    v_content := jsonb_build_object('conclusion_id', p_conclusion_id);
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    v_outcome := cmbs_store.recorded_outcome(
        p_session_id, p_request_id, 'DECLARE_CONCLUSION', v_content
    );
    if v_outcome is not null then
        return cmbs_store.response(v_outcome, v_session, p_minimal);
    end if;
    perform cmbs_store.check_open(v_session, p_expected_head);

    v_decision := cmbs_store.decide_gate(v_session, 'DECLARE_CONCLUSION', v_content);
    v_content := cmbs_store.with_request_id(v_content, p_request_id) || jsonb_build_object(
        'context', v_context::jsonb,
        'accepted', v_decision.p_approved,
        'reason', v_decision.p_reason
    );
    v_session := cmbs_store.append_event(
        v_decision.p_state, v_session.survivors_hash, 'DECLARE_CONCLUSION', v_caller.name,
        null, null, p_request_id, p_notes, v_content::text, '[]'
    );
    insert into cmbs_store.conclusion (session_id, seq, conclusion_id, is_accepted)
    values (p_session_id, v_session.audit_seq, p_conclusion_id, v_decision.p_approved);
    v_outcome := cmbs_store.outcome(v_content, v_session.audit_head_event_id, false);
    return cmbs_store.response(v_outcome, v_session, p_minimal);
end
$$;

grant execute on function cmbs.declare_conclusion to cmbs_server, cmbs_agent;
