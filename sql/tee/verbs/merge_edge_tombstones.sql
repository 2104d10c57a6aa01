-- cmbs.merge_edge_tombstones
--
-- Rules edges out of an incident (MergeEdgeTombstones).
--
-- p_edges    a list of objects of source, target and type; answers name them `edge:s|t|TYPE`
-- Promises   as cmbs.merge_node_tombstones.
-- Locks      the row of the incident.
-- Raises     MB013 INCIDENT_NOT_FOUND, MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE,
--            MB302 FORBIDDEN.

create or replace function cmbs.merge_edge_tombstones(
    p_incident_id text,
    p_edges json,
    p_source_id text,
    p_trigger text,
    p_occurred_at timestamptz default null,
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
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'merge_edge_tombstones', '{agent, encoder, tool}'
    );
    v_edges jsonb := cmbs_store.checked_edges(p_edges, 10000);
    v_incident cmbs_store.incident;
    v_new cmbs_store.edge_tombstone[];
begin
    perform cmbs_store.check_tombstones(
        v_caller, p_incident_id, 'edges', jsonb_array_length(v_edges), p_source_id, p_trigger,
        p_occurred_at
    );
    v_incident := cmbs_store.lock_incident(p_incident_id, v_caller.tenant);
    v_new := cmbs_store.new_edge_tombstones(v_incident, v_edges);
    if cardinality(v_new) > 0 then
        perform cmbs_store.new_incident_event(
            v_incident, v_caller.name, p_source_id, p_trigger, p_occurred_at
        );
        insert into cmbs_store.edge_tombstone (
            incident_id, source, target, type, event_no, is_matched
        )
        select n.incident_id, n.source, n.target, n.type, n.event_no, n.is_matched
        from unnest(v_new) as n;
    end if;
    return cmbs_store.tombstone_answer(
        array(
            select cmbs_store.edge_id(e.source, e.target, e.type)
            from jsonb_to_recordset(v_edges) as e (source text, target text, type text)
        ),
        array(
            select cmbs_store.edge_id(n.source, n.target, n.type)
            from unnest(v_new) with ordinality as n
            order by n.ordinality
        ),
        array(
            select n.is_matched from unnest(v_new) with ordinality as n order by n.ordinality
        )
    );
end
$$;

grant execute on function cmbs.merge_edge_tombstones to cmbs_server, cmbs_agent;
