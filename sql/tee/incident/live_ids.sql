-- cmbs_store.live_ids
--
-- What an incident has not ruled out of its universe, sorted: nodes, and the ids of edges too if
-- they are asked for.

create or replace function cmbs_store.live_ids(
    p_incident cmbs_store.incident,
    p_with_edges boolean
)
returns text[]
language sql
stable
set enable_seqscan = on
set enable_nestloop = off
set jit = off
as $$
    select array(
        select n.node_id collate "C" as id
        from cmbs_store.live_nodes(p_incident) as n
        union all
        select cmbs_store.edge_id(e.source, e.target, e.type) collate "C"
        from cmbs_store.live_edges(p_incident) as e
        where p_with_edges
        order by 1
    )
$$;
