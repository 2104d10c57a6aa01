-- cmbs_store.new_edge_tombstones
--
-- The rows of edges that are to be ruled out of a locked incident and are not yet, for its next
-- event; sorted, each once.

create or replace function cmbs_store.new_edge_tombstones(
    p_incident cmbs_store.incident,
    p_edges jsonb
)
returns cmbs_store.edge_tombstone[]
language sql
stable
as $$
    select coalesce(
        array_agg(
            row(
                p_incident.incident_id, e.source, e.target, e.type, p_incident.n_events + 1,
                (
                    select true
                    from cmbs_store.graph_edge as g
                    where g.tenant = p_incident.tenant
                        and g.source = e.source
                        and g.target = e.target
                        and g.type = e.type
                ) is not null
            )::cmbs_store.edge_tombstone
            order by e.source, e.target, e.type
        ),
        '{}'
    )
    from (
        select distinct
            a.source collate "C" as source, a.target collate "C" as target,
            a.type collate "C" as type
        from jsonb_to_recordset(p_edges) as a (source text, target text, type text)
    ) as e
    where (
        select true
        from cmbs_store.edge_tombstone as t
        where t.incident_id = p_incident.incident_id
            and t.source = e.source
            and t.target = e.target
            and t.type = e.type
    ) is null
$$;
