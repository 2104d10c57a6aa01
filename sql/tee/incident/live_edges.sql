-- cmbs_store.live_edges
--
-- The edges of the universe of an incident that are not ruled out, nor one of their ends.

create or replace function cmbs_store.live_edges(
    p_incident cmbs_store.incident
)
returns table (
    source text,
    target text,
    type text,
    source_id text,
    trigger text,
    occurred_at timestamptz
)
language sql
stable
as $$
    with live as materialized (
        select n.node_id from cmbs_store.live_nodes(p_incident) as n
    )
    select e.source, e.target, e.type, e.source_id, e.trigger, e.occurred_at
    from cmbs_store.graph_edge as e
    where e.tenant = p_incident.tenant
        and e.version <= p_incident.version
        and e.source in (select l.node_id from live as l)
        and e.target in (select l.node_id from live as l)
        and not exists (
            select
            from cmbs_store.edge_tombstone as t
            where t.incident_id = p_incident.incident_id
                and t.source = e.source
                and t.target = e.target
                and t.type = e.type
        )
        and (
            not p_incident.has_edges_listed
            or cmbs_store.edge_id(e.source, e.target, e.type) in (
                select h.hypothesis_id
                from cmbs_store.context_hypothesis as h
                where h.universe_digest = p_incident.universe_digest
                    and starts_with(h.hypothesis_id, 'edge:')
            )
        )
$$;
