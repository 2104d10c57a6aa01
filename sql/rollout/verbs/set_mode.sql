-- cmbs.set_mode
--
-- Sets the mode of a session (verb SET_MODE): it scales soft budgets and forbids classes of
-- effects, as the policy in force says.
--
-- p_mode     boost, normal, eco, thermal or offline_safe
-- Promises   one event.
-- Locks      the session row, first thing.
-- Raises     MB001 SESSION_NOT_FOUND, MB101 SESSION_TERMINATED, MB102 and MB103 CONFLICT,
--            MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE, MB302 FORBIDDEN.

create or replace function cmbs.set_mode(
    p_session_id uuid,
    p_mode text,
    p_reason text default null,
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
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'set_mode', '{policy}');
    v_content jsonb := jsonb_build_object('mode', p_mode, 'reason', coalesce(p_reason, ''));
    v_session cmbs_store.session;
    v_outcome text;
begin
    perform cmbs_store.check_envelope(p_session_id, p_request_id, p_notes);
    if not exists (select from cmbs_store.modes() as m where m.mode = p_mode) then
        perform cmbs_store.refuse_request(
            'mode', 'must be boost, normal, eco, thermal or offline_safe'
        );
    elsif octet_length(p_reason) > 4096 then
        perform cmbs_store.refuse_size('reason', '4 KiB');
    end if;
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    -- Who waited for the lock may act no more.
    v_caller := cmbs_store.authorize(p_credential, 'set_mode', '{policy}');
    v_outcome := cmbs_store.recorded_outcome(p_session_id, p_request_id, 'SET_MODE', v_content);
    if v_outcome is null then
        perform cmbs_store.check_open(v_session, p_expected_head);
        v_content := cmbs_store.with_request_id(v_content, p_request_id);
        v_session := cmbs_store.append_event(
            v_session, v_session.survivors_hash, 'SET_MODE', v_caller.name,
            null, null, p_request_id, p_notes, v_content::text, '[]'
        );
        perform cmbs_store.project_event(
            p_session_id, v_session.audit_seq, v_caller.name, 'SET_MODE', v_content
        );
        v_outcome := cmbs_store.outcome(v_content, v_session.audit_head_event_id, false);
    end if;
    return cmbs_store.response(
        format('"mode": "%s", %s', p_mode, v_outcome), v_session, p_minimal
    );
end
$$;

grant execute on function cmbs.set_mode to cmbs_server, cmbs_policy;
