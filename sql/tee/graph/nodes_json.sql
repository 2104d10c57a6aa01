-- cmbs_store.nodes_json
--
-- Nodes of the graph as they were when an incident was created, as JSON text: those that live, or
-- all of them if it is no incident.
--
-- p_ids      which of them; null for all
--
-- Every node has who merged it first in its row: what others said is of few of them, and is looked
-- for there alone. Without loops, as a planner that knows too little of the tables would loop over
-- all of the one for each row of the other.

create or replace function cmbs_store.nodes_json(
    p_incident cmbs_store.incident,
    p_ids text[] default null
)
returns text
language sql
stable
set enable_seqscan = on
set enable_nestloop = off
set jit = off
as $$
    with further as (
        select
            p.node_id,
            string_agg(
                ', ' || cmbs_store.provenance_json(p.source_id, p.trigger, p.occurred_at), ''
                order by p.version, p.source_id, p.trigger
            ) as provenance
        from cmbs_store.graph_node_provenance as p
        where p.tenant = p_incident.tenant and p.version <= p_incident.version
            and (p_ids is null or p.node_id = any(p_ids))
        group by p.node_id
    )
    select '[' || coalesce(
        string_agg(
            '{"id": ' || to_json(n.node_id) || ', "type": "' || n.type
                || '", "label": ' || to_json(n.label)
                || ', "hypothetical": ' || (n.is_hypothetical and c.node_id is null)::text
                || ', "provenance": ['
                || cmbs_store.provenance_json(n.source_id, n.trigger, n.occurred_at)
                || coalesce(f.provenance, '') || ']}',
            ', '
            order by n.node_id
        ),
        ''
    ) || ']'
    from cmbs_store.graph_node as n
    left join further as f on f.node_id = n.node_id
    left join cmbs_store.graph_node_confirmation as c
        on c.tenant = n.tenant and c.node_id = n.node_id and c.version <= p_incident.version
    where n.tenant = p_incident.tenant
        and (p_ids is null or n.node_id = any(p_ids))
        and (
            p_incident.incident_id is null or p_ids is not null
            or n.node_id in (select l.node_id from cmbs_store.live_nodes(p_incident) as l)
        )
$$;
