-- cmbs.apply_policy
--
-- Lets a version of a policy pack decide in a session from now on (verb POLICY_APPLY). No
-- constraint is asked: a malformed one must not keep its own replacement out.
--
-- p_shadow   pack and version of a policy that is asked beside it and never followed; null: none
-- Promises   approved iff the invariants of the pack hold of the state as it is; audited anyway.
-- Locks      the session row, first thing.
-- Raises     MB001 SESSION_NOT_FOUND, MB007 POLICY_NOT_FOUND, MB101 SESSION_TERMINATED,
--            MB102 and MB103 CONFLICT, MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE,
--            MB302 FORBIDDEN.

create or replace function cmbs.apply_policy(
    p_session_id uuid,
    p_pack text,
    p_version integer,
    p_shadow json default null,
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
        p_credential, 'apply_policy', '{policy}'
    );
    v_session cmbs_store.session;
    v_version cmbs_store.policy_version;
    v_shadow jsonb := cmbs_store.checked_shadow(p_shadow);
    v_content jsonb := jsonb_build_object('pack', p_pack, 'version', p_version);
    v_outcome text;
begin
    perform cmbs_store.check_envelope(p_session_id, p_request_id, p_notes);
    perform cmbs_store.check_label('pack', p_pack);
    if p_version is null then
        perform cmbs_store.refuse_request('version', 'must be the number of a version');
    end if;
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    v_outcome := cmbs_store.recorded_outcome(
        p_session_id, p_request_id, 'POLICY_APPLY',
        v_content || case
            when v_shadow is null then '{}' else jsonb_build_object('shadow', v_shadow)
        end
    );
    if v_outcome is not null then
        return cmbs_store.response(v_outcome, v_session, p_minimal);
    end if;
    perform cmbs_store.check_open(v_session, p_expected_head);
    v_version := cmbs_store.find_policy(v_session.tenant, p_pack, p_version);
    v_content := cmbs_store.with_request_id(v_content, p_request_id)
        || jsonb_build_object('policy_hash', encode(v_version.policy_hash, 'hex'))
        || cmbs_store.found_shadow(v_session.tenant, v_shadow)
        || cmbs_store.apply_reasons(v_session, v_caller.name, v_version.policy_hash, null);
    v_session := cmbs_store.append_event(
        v_session, v_session.survivors_hash, 'POLICY_APPLY', v_caller.name,
        null, null, p_request_id, p_notes, v_content::text, '[]'
    );
    perform cmbs_store.project_event(
        p_session_id, v_session.audit_seq, v_caller.name, 'POLICY_APPLY', v_content
    );
    v_outcome := cmbs_store.outcome(v_content, v_session.audit_head_event_id, false);
    return cmbs_store.response(v_outcome, v_session, p_minimal);
end
$$;

grant execute on function cmbs.apply_policy to cmbs_server, cmbs_policy;
