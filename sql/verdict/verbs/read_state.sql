-- cmbs.read_state
--
-- The state of a session beside its belief, now or right after an event: facts and goals, the
-- vector, and the policy in force.
--
-- Locks      nothing.
-- Raises     MB001 SESSION_NOT_FOUND, MB003 EVENT_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs.read_state(
    p_session_id uuid,
    p_as_of uuid default null,
    p_include_policy boolean default false,
    p_credential bytea default null
)
returns json
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set jit = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'read_state', null);
    v_session cmbs_store.session := cmbs_store.read_session(p_session_id, v_caller.tenant);
    v_pin cmbs_store.policy_pin;
begin
    if p_as_of is not null then
        v_session := cmbs_store.session_as_of(v_session, p_as_of);
    end if;
    v_pin := cmbs_store.policy_in_force(v_session);
    return format(
        '{"state_snapshot_id": "%s", "audit_seq": %s, "f_sparse": %s, "s_core": %s, '
        '"pack": {"pack": %s, "version": %s, "policy_hash": "%s"}%s}',
        v_session.audit_head_event_id,
        v_session.audit_seq,
        cmbs_store.f_sparse_at(p_session_id, v_session.audit_seq),
        coalesce(
            to_json(cmbs_store.s_core_at(p_session_id, v_session.audit_seq))::text, 'null'
        ),
        to_json(v_pin.pack), v_pin.version, encode(v_pin.policy_hash, 'hex'),
        case
            when p_include_policy
                then ', "policy": ' || cmbs_store.policy_entries(v_pin.policy_hash)::text
        end
    )::json;
end
$$;

grant execute on function cmbs.read_state to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
