-- cmbs.read_permit
--
-- One permit of a session: the call that it lets execute, and what has become of it.
--
-- Locks      nothing.
-- Raises     MB001 SESSION_NOT_FOUND, MB011 PERMIT_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs.read_permit(
    p_session_id uuid,
    p_permit_id uuid,
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
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'read_permit', null);
    v_session cmbs_store.session := cmbs_store.read_session(p_session_id, v_caller.tenant);
begin
    return cmbs_store.permit_json(
        v_session, cmbs_store.permit_of(v_session, p_permit_id), cmbs_store.reading_time(v_session)
    );
end
$$;

grant execute on function cmbs.read_permit to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
