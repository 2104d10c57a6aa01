-- cmbs.record_claim
--
-- Records a claim with the evidence for it (verb RECORD_CLAIM). What is not confirmed may only be a
-- hypothesis or derived, and for a time; constraints on `claim.write.<kind>` apply.
--
-- Promises   a denial is an answer, audited; a claim is never changed afterwards.
-- Locks      the session row, first thing.
-- Raises     MB001 SESSION_NOT_FOUND, MB101 SESSION_TERMINATED, MB102 and MB103 CONFLICT,
--            MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE, MB302 FORBIDDEN.

create or replace function cmbs.record_claim(
    p_session_id uuid,
    p_claim json,
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
        p_credential, 'record_claim', '{agent, encoder, tool}'
    );
    v_claim jsonb := cmbs_store.checked_claim(p_claim);
    v_session cmbs_store.session;
begin
    perform cmbs_store.check_envelope(p_session_id, p_request_id, p_notes);
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    return cmbs_store.submit_claim(
        v_session, v_caller, v_claim, null, p_request_id, p_expected_head, p_notes, p_minimal
    );
end
$$;

grant execute on function cmbs.record_claim to cmbs_server, cmbs_agent;
