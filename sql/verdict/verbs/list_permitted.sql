-- cmbs.list_permitted
--
-- Tells of each tool whether the caller could call it now with a capability token, and if not, why
-- not.
--
-- Locks      nothing.
-- Raises     MB001 SESSION_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs.list_permitted(
    p_session_id uuid,
    p_capability_token text default null,
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
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'list_permitted', null);
    v_session cmbs_store.session := cmbs_store.read_session(p_session_id, v_caller.tenant);
    v_given cmbs_store.verdict_input := cmbs_store.input_for_roles(v_session, v_caller.roles);
    v_pin cmbs_store.policy_pin := cmbs_store.policy_in_force(v_session);
begin
    v_given.is_token_shown := p_capability_token is not null;
    v_given.token_id := cmbs_store.find_capability(p_session_id, p_capability_token);
    return json_build_object(
        'state_snapshot_id', v_session.audit_head_event_id,
        'policy', json_build_object(
            'pack', v_pin.pack, 'version', v_pin.version,
            'policy_hash', encode(v_pin.policy_hash, 'hex')
        ),
        'tools', (
            select coalesce(json_agg(
                cmbs_store.permitted_tool(v_session, v_caller, v_given, t.tool_id)
                order by t.tool_id
            ), '[]')
            from (
                select distinct r.tool_id
                from cmbs_store.tool_registration as r
                where r.tenant = v_session.tenant
            ) as t
        )
    );
end
$$;

grant execute on function cmbs.list_permitted to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
