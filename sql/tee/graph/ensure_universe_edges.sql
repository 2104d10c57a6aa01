-- cmbs_store.ensure_universe_edges
--
-- Stores the edges of a universe by their ends, unless that was done before.
--
-- Locks      the rows while they are new: another that needs them waits.

create or replace function cmbs_store.ensure_universe_edges(
    p_universe_digest bytea
)
returns void
language plpgsql
volatile
as $$
declare
    v_edge_ids text[];
begin
    if exists (
        select from cmbs_store.universe_edge as e where e.universe_digest = p_universe_digest
    ) then
        return;
    end if;
    v_edge_ids := array(
        select m.hypothesis_id
        from cmbs_store.universe_member as m
        where m.universe_digest = p_universe_digest
            and m.hypothesis_id >= 'edge:'
            and m.hypothesis_id < 'edge;'
    );
    insert into cmbs_store.universe_edge (universe_digest, node_id, edge_id)
    select p_universe_digest, n.node_id, u.edge_id
    from unnest(v_edge_ids) as u (edge_id)
    cross join lateral unnest(cmbs_store.edge_ends(u.edge_id)) as n (node_id)
    on conflict (universe_digest, node_id, edge_id) do nothing;
end
$$;
