-- cmbs.create_incident
--
-- Begins an incident, pinned to the causal graph as it is now (CreateIncident).
--
-- p_node_ids   the nodes that are its universe, with the edges between them; null: the whole graph
-- p_edges      the edges that are, besides the nodes; null: all between them
-- Promises     what is merged later is not part of it; repeatable, also without naming a universe;
--              another universe is refused.
-- Locks        the row of the incident while it is new.
-- Raises       MB102 CONFLICT, MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs.create_incident(
    p_incident_id text,
    p_node_ids text[] default null,
    p_edges json default null,
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
        p_credential, 'create_incident', '{agent}'
    );
    -- Who sees every tenant may create again what somebody created.
    v_tenant text := coalesce((
        select i.tenant
        from cmbs_store.incident as i
        where i.incident_id = p_incident_id and v_caller.tenant = '*'
    ), cmbs_store.own_tenant(v_caller));
    v_incident cmbs_store.incident;
    v_digest bytea;
    v_created boolean;
begin
    perform cmbs_store.check_writable();
    perform cmbs_store.check_id('incident_id', p_incident_id);
    v_digest := cmbs_store.universe_asked(v_tenant, p_node_ids, p_edges);
    -- Another tenant's is looked for first: the insert would wait for whoever changes it.
    insert into cmbs_store.incident (
        incident_id, tenant, created_at, created_by, version, universe_digest, has_edges_listed,
        n_events
    )
    select
        p_incident_id, v_tenant, cmbs_store.clock(), v_caller.name,
        cmbs_store.graph_version(v_tenant), v_digest, p_edges is not null, 0
    where not exists (
        select
        from cmbs_store.incident as i
        where i.incident_id = p_incident_id and i.tenant <> v_tenant
    )
    on conflict (incident_id) do nothing;
    v_created := found;
    select i.*
    into v_incident
    from cmbs_store.incident as i
    where i.incident_id = p_incident_id and (i.tenant = v_caller.tenant or v_caller.tenant = '*');
    if not found then
        perform cmbs_store.refuse(
            'MB102',
            'This id of an incident is taken.',
            json_build_object('incident_id', p_incident_id)::text,
            'Choose another id.'
        );
    elsif v_digest is not null and not v_created
        and not cmbs_store.is_universe_of(v_incident, v_digest, p_edges is not null)
    then
        perform cmbs_store.refuse(
            'MB102',
            'This incident began with another universe.',
            json_build_object(
                'incident_id', p_incident_id,
                'universe_anchor', 'v' || v_incident.version
            )::text,
            'Choose another id, or leave the universe out.'
        );
    end if;
    return json_build_object(
        'incident_id', p_incident_id,
        'created', v_created,
        'universe_anchor', 'v' || v_incident.version
    );
end
$$;

grant execute on function cmbs.create_incident to cmbs_server, cmbs_agent;
