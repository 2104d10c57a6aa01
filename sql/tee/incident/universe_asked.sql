-- cmbs_store.universe_asked
--
-- The digest of the universe that an incident is asked to have, which is stored if it is new; null
-- for all of the graph.
--
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs_store.universe_asked(
    p_tenant text,
    p_node_ids text[],
    p_edges json
)
returns bytea
language plpgsql
volatile
as $$
declare
    v_node_ids text[] := p_node_ids;
    v_edges jsonb := cmbs_store.checked_edges(p_edges, 1000000);
    v_edge_ids text[] := array(
        select cmbs_store.edge_id(e.source, e.target, e.type)
        from jsonb_to_recordset(v_edges) as e (source text, target text, type text)
    );
begin
    if p_node_ids is null and p_edges is null then
        return null;
    elsif p_node_ids is null then
        v_node_ids := array(
            select n.node_id from cmbs_store.graph_node as n where n.tenant = p_tenant
        );
    end if;
    perform cmbs_store.check_node_ids(v_node_ids, 1000000);
    if exists (select from unnest(v_edge_ids) as u (id) where octet_length(u.id) > 512) then
        perform cmbs_store.refuse_request(
            'edges', 'the id of every edge, of both its ends, must have 512 bytes or fewer'
        );
    end if;
    perform cmbs_store.check_in_graph(p_tenant, v_node_ids, v_edges);
    return cmbs_store.ensure_context_universe(v_node_ids || v_edge_ids);
end
$$;
