-- cmbs.narrow_capability
--
-- Makes a narrower capability token from another (verb TOKEN_ISSUE with a parent), for oneself or
-- for somebody else. What is spent with it is spent of all that it was made from.
--
-- Promises   never wider than the other in anything.
-- Locks      the session row, first thing.
-- Raises     MB001 SESSION_NOT_FOUND, MB006 TOKEN_NOT_FOUND, MB101 SESSION_TERMINATED,
--            MB102 and MB103 CONFLICT, MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE,
--            MB302 FORBIDDEN.

create or replace function cmbs.narrow_capability(
    p_session_id uuid,
    p_parent_id uuid,
    p_grant json,
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
        p_credential, 'narrow_capability', '{agent, encoder, tool, policy}'
    );
    v_grant jsonb := cmbs_store.checked_grant(p_grant, cmbs_store.clock());
    v_session cmbs_store.session;
    v_parent cmbs_store.capability_token;
begin
    perform cmbs_store.check_envelope(p_session_id, p_request_id, p_notes);
    if (p_grant::jsonb ->> 'parent')::uuid <> p_parent_id then
        perform cmbs_store.refuse_request('parent', 'must be the token that it is made from');
    end if;
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    v_parent := cmbs_store.read_capability(v_session, p_parent_id);
    perform cmbs_store.check_capability_holder(v_caller, v_parent);
    if v_grant ->> 'expires_at' is null then
        v_grant := v_grant || jsonb_build_object(
            'expires_at', cmbs_store.timestamp_v1(v_parent.expires_at)
        );
    end if;
    return cmbs_store.grant_capability(
        v_session, v_caller, v_parent, v_grant, p_request_id, p_expected_head, p_notes, p_minimal
    );
end
$$;

grant execute on function cmbs.narrow_capability to cmbs_server, cmbs_agent, cmbs_policy;
