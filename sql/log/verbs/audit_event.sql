-- cmbs.audit_event
--
-- One event of the log of a session.
--
-- Locks      nothing.
-- Raises     MB001 SESSION_NOT_FOUND, MB003 EVENT_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs.audit_event(
    p_session_id uuid,
    p_event_id uuid,
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
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'audit_event', null);
begin
    perform cmbs_store.read_session(p_session_id, v_caller.tenant);
    if p_event_id is null then
        perform cmbs_store.refuse_request('event_id', 'must be a uuid');
    end if;
    return cmbs_store.event_json(cmbs_store.read_event(p_session_id, p_event_id))::json;
end
$$;

grant execute on function cmbs.audit_event to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
