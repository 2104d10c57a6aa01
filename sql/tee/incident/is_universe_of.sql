-- cmbs_store.is_universe_of
--
-- Whether a set that was stored is the universe of an incident: also of one that was not asked to
-- have it, if it is all of the graph.

create or replace function cmbs_store.is_universe_of(
    p_incident cmbs_store.incident,
    p_universe_digest bytea,
    p_has_edges_listed boolean
)
returns boolean
language plpgsql
stable
as $$
begin
    if p_incident.universe_digest is not null then
        return p_incident.universe_digest = p_universe_digest
            and p_incident.has_edges_listed = p_has_edges_listed;
    end if;
    return cmbs_store.incident_ids(p_incident, p_has_edges_listed) = array(
        select h.hypothesis_id
        from cmbs_store.context_hypothesis as h
        where h.universe_digest = p_universe_digest
        order by h.hypothesis_id
    );
end
$$;
