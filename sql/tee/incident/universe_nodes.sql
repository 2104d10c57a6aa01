-- cmbs_store.universe_nodes
--
-- The nodes of the graph that are the universe of an incident.

create or replace function cmbs_store.universe_nodes(
    p_incident cmbs_store.incident
)
returns table (node_id text)
language sql
stable
as $$
    select n.node_id
    from cmbs_store.graph_node as n
    where p_incident.universe_digest is null
        and n.tenant = p_incident.tenant
        and n.version <= p_incident.version
    union all
    select h.hypothesis_id
    from cmbs_store.context_hypothesis as h
    where p_incident.universe_digest is not null
        and h.universe_digest = p_incident.universe_digest
        and not starts_with(h.hypothesis_id, 'edge:')
$$;
