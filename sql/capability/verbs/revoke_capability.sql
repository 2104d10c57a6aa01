-- cmbs.revoke_capability
--
-- Lets a capability token count no more, nor any that was made from it (verb TOKEN_REVOKE).
--
-- Promises   a token that is revoked already stays so, and nothing is recorded.
-- Locks      the session row, first thing.
-- Raises     MB001 SESSION_NOT_FOUND, MB006 TOKEN_NOT_FOUND, MB101 SESSION_TERMINATED,
--            MB102 and MB103 CONFLICT, MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE,
--            MB302 FORBIDDEN.

create or replace function cmbs.revoke_capability(
    p_session_id uuid,
    p_token_id uuid,
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
        p_credential, 'revoke_capability', '{agent, encoder, tool, policy}'
    );
    v_session cmbs_store.session;
    v_payload jsonb := jsonb_build_object('token_id', p_token_id);
    v_event_id uuid;
    v_is_new boolean;
begin
    perform cmbs_store.check_envelope(p_session_id, p_request_id, p_notes);
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    perform cmbs_store.check_capability_holder(
        v_caller, cmbs_store.read_capability(v_session, p_token_id)
    );
    perform cmbs_store.recorded_message(p_session_id, p_request_id, 'TOKEN_REVOKE', v_payload);
    select e.event_id
    into v_event_id
    from cmbs_store.capability_revocation as r
    inner join cmbs_store.audit_event as e
        on e.session_id = r.session_id and e.seq = r.seq
    where r.session_id = p_session_id and r.token_id = p_token_id;
    v_is_new := not found;
    if v_is_new then
        perform cmbs_store.check_open(v_session, p_expected_head);
        v_payload := cmbs_store.with_request_id(v_payload, p_request_id);
        v_session := cmbs_store.append_event(
            v_session, v_session.survivors_hash, 'TOKEN_REVOKE', v_caller.name,
            null, null, p_request_id, p_notes, v_payload::text, '[]'
        );
        perform cmbs_store.project_event(
            p_session_id, v_session.audit_seq, v_caller.name, 'TOKEN_REVOKE', v_payload
        );
        v_event_id := v_session.audit_head_event_id;
    end if;
    return cmbs_store.response(
        format(
            '"token_id": "%s", "audit_event_id": "%s", "duplicate": %s',
            p_token_id, v_event_id, (not v_is_new)::text
        ),
        v_session, p_minimal
    );
end
$$;

grant execute on function cmbs.revoke_capability to cmbs_server, cmbs_agent, cmbs_policy;
