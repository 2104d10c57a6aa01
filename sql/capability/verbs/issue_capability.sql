-- cmbs.issue_capability
--
-- Issues a capability token (verb TOKEN_ISSUE): what a principal may propose in a session, and how
-- often. The answer shows the secret, this once.
--
-- Promises   the same request id again gets the token's id, without its secret.
-- Locks      the session row, first thing.
-- Raises     MB001 SESSION_NOT_FOUND, MB101 SESSION_TERMINATED, MB102 and MB103 CONFLICT,
--            MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE, MB302 FORBIDDEN.

create or replace function cmbs.issue_capability(
    p_session_id uuid,
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
        p_credential, 'issue_capability', '{policy}'
    );
    v_grant jsonb := cmbs_store.checked_grant(p_grant, cmbs_store.clock());
    v_session cmbs_store.session;
begin
    perform cmbs_store.check_envelope(p_session_id, p_request_id, p_notes);
    if v_grant ->> 'expires_at' is null then
        perform cmbs_store.refuse_request('expires_at', 'must be a time: no token is for ever');
    elsif p_grant::jsonb ->> 'parent' is not null then
        perform cmbs_store.refuse_request('parent', 'tokens are made from others by attenuation');
    end if;
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    return cmbs_store.grant_capability(
        v_session, v_caller, null, v_grant, p_request_id, p_expected_head, p_notes, p_minimal
    );
end
$$;

grant execute on function cmbs.issue_capability to cmbs_server, cmbs_policy;
