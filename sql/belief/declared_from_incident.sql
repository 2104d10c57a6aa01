-- cmbs_store.declared_from_incident
--
-- What a session is declared with that takes its universe from an incident: the incident's nodes,
-- and the ids of its edges if they are asked for. Its version of the graph is the incident's.
--
-- p_tenant     whose session it is
-- p_from       the request, in canonical text
-- p_bundle     the ontology, with that version
-- p_ids        the universe
-- p_gone       those of it that are ruled out by now
-- Raises       MB013 INCIDENT_NOT_FOUND, MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs_store.declared_from_incident(
    p_tenant text,
    p_universe_from json,
    p_ontology json,
    p_hypotheses text[],
    out p_from text,
    out p_bundle json,
    out p_ids text[],
    out p_gone text[]
)
language plpgsql
stable
as $$
declare
    v_from jsonb := cmbs_store.free_object('universe_from', p_universe_from)::jsonb;
    v_edges boolean;
    v_incident cmbs_store.incident;
begin
    perform cmbs_store.check_writable();
    perform cmbs_store.check_members('universe_from', v_from, '{tee_incident, edges}');
    if cmbs_store.id_fault(v_from -> 'tee_incident') is not null then
        perform cmbs_store.refuse_request(
            'universe_from', 'must name a tee_incident, by text of 1 to 512 bytes'
        );
    elsif coalesce(jsonb_typeof(v_from -> 'edges'), 'boolean') <> 'boolean' then
        perform cmbs_store.refuse_request('universe_from', 'edges must be true or false');
    elsif p_hypotheses is not null then
        perform cmbs_store.refuse_request(
            'hypotheses', 'must be left out where universe_from says what they are'
        );
    end if;
    v_edges := coalesce((v_from ->> 'edges')::boolean, false);
    v_incident := cmbs_store.read_incident_row(
        v_from ->> 'tee_incident', p_tenant
    );
    p_from := case when v_edges then v_from else v_from - 'edges' end;
    p_bundle := p_ontology;
    if jsonb_typeof(cmbs_store.free_object('ontology', p_ontology)::jsonb) = 'object' then
        p_bundle := p_ontology::jsonb
            || jsonb_build_object('causal_graph_version', 'v' || v_incident.version);
    end if;
    p_ids := cmbs_store.incident_ids(v_incident, v_edges);
    perform cmbs_store.check_incident_ids(p_ids);
    p_gone := cmbs_store.ids_without(p_ids, cmbs_store.live_ids(v_incident, v_edges));
end
$$;
