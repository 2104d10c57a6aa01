-- cmbs.read_incident
--
-- An incident (GetIncidentContext): what it is pinned to, its universe, and what is ruled out.
--
-- Locks      nothing.
-- Raises     MB013 INCIDENT_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs.read_incident(
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
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'read_incident', null);
    v_incident cmbs_store.incident;
begin
    v_incident := cmbs_store.read_incident_row(p_incident_id, v_caller.tenant);
    return json_build_object(
        'incident_id', v_incident.incident_id,
        'created_at', cmbs_store.timestamp_v1(v_incident.created_at),
        'universe_anchor', 'v' || v_incident.version,
        'universe', cmbs_store.incident_ids(v_incident, v_incident.has_edges_listed),
        'tombstones', cmbs_store.incident_tombstones(v_incident.incident_id)
    );
end
$$;

grant execute on function cmbs.read_incident to cmbs_server, cmbs_agent, cmbs_auditor;
