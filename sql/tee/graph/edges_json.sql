-- cmbs_store.edges_json
--
-- Edges of the graph as they were when an incident was created, as JSON text: those that live, or
-- all of them if it is no incident. As cmbs_store.nodes_json.
--
-- p_after    those after this one alone (its source, target and type), null for the first
-- p_limit    as many at most; null for all

create or replace function cmbs_store.edges_json(
    p_incident cmbs_store.incident,
    p_after text[] default null,
    p_limit integer default null
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
            p.source, p.target, p.type,
            string_agg(
                ', ' || cmbs_store.provenance_json(p.source_id, p.trigger, p.occurred_at), ''
                order by p.version, p.source_id, p.trigger
            ) as provenance
        from cmbs_store.graph_edge_provenance as p
        where p.tenant = p_incident.tenant and p.version <= p_incident.version
        group by p.source, p.target, p.type
    )
    select '[' || coalesce(
        string_agg(
            '{"source": ' || to_json(e.source) || ', "target": ' || to_json(e.target)
                || ', "type": "' || e.type || '", "provenance": ['
                || cmbs_store.provenance_json(e.source_id, e.trigger, e.occurred_at)
                || coalesce(f.provenance, '') || ']}',
            ', '
        ),
        ''
    ) || ']'
    from (
        select l.source, l.target, l.type, l.source_id, l.trigger, l.occurred_at
        from cmbs_store.live_edges(p_incident) as l
        where p_incident.incident_id is not null and p_limit is null
        union all
        (
            select l.source, l.target, l.type, l.source_id, l.trigger, l.occurred_at
            from cmbs_store.live_edges(p_incident) as l
            where p_limit is not null and (
                p_after is null
                or (l.source collate "C", l.target collate "C", l.type collate "C")
                > (p_after[1], p_after[2], p_after[3])
            )
            order by l.source collate "C", l.target collate "C", l.type collate "C"
            limit p_limit
        )
        union all
        select g.source, g.target, g.type, g.source_id, g.trigger, g.occurred_at
        from cmbs_store.graph_edge as g
        where p_incident.incident_id is null and g.tenant = p_incident.tenant
    ) as e
    left join further as f on f.source = e.source and f.target = e.target and f.type = e.type
$$;
