-- cmbs_store.check_in_graph
--
-- Refuses a universe of an incident that is not all of the graph: nodes that the graph has, and
-- edges that it has between them.
--
-- Raises     MB201 INVALID_REQUEST, which names up to 100 of those that are not.

create or replace function cmbs_store.check_in_graph(
    p_tenant text,
    p_node_ids text[],
    p_edges jsonb
)
returns void
language plpgsql
stable
as $$
declare
    v_unknown text[] := array(
        select u.id
        from unnest(p_node_ids) as u (id)
        where (
            select true
            from cmbs_store.graph_node as n
            where n.tenant = p_tenant and n.node_id = u.id
        ) is null
        union all
        select cmbs_store.edge_id(e.source, e.target, e.type)
        from jsonb_to_recordset(p_edges) as e (source text, target text, type text)
        where e.source not in (select u.id from unnest(p_node_ids) as u (id))
            or e.target not in (select u.id from unnest(p_node_ids) as u (id))
            or (
                select true
                from cmbs_store.graph_edge as g
                where g.tenant = p_tenant
                    and g.source = e.source
                    and g.target = e.target
                    and g.type = e.type
            ) is null
        limit 100
    );
begin
    if cardinality(v_unknown) > 0 then
        perform cmbs_store.refuse(
            'MB201',
            'The graph does not have all of this.',
            json_build_object(
                'member', 'node_ids',
                'problem', 'must be nodes, and edges between them, of the graph',
                'unknown', v_unknown
            )::text,
            'Merge what is missing into the graph first.'
        );
    end if;
end
$$;
