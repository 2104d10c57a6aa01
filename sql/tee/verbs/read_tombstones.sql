-- cmbs.read_tombstones
--
-- What is ruled out of an incident (GetTombstones), also what the graph does not have.
--
-- Locks      nothing.
-- Raises     MB013 INCIDENT_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs.read_tombstones(
    p_incident_id text,
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
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'read_tombstones', null);
    v_incident cmbs_store.incident;
begin
    v_incident := cmbs_store.read_incident_row(p_incident_id, v_caller.tenant);
    return cmbs_store.incident_tombstones(v_incident.incident_id);
end
$$;

grant execute on function cmbs.read_tombstones to cmbs_server, cmbs_agent, cmbs_auditor;
