-- cmbs_store.live_page
--
-- Some of what an incident has not ruled out: its nodes in order, then its edges.
--
-- p_after    the id of the node or edge where the page before ended; null for the first page
-- Raises     MB201 INVALID_REQUEST.

create or replace function cmbs_store.live_page(
    p_incident cmbs_store.incident,
    p_after text,
    p_limit integer
)
returns json
language plpgsql
stable
as $$
declare
    v_after text[];
    v_ids text[] := array[]::text[];
    v_edges json := json_build_array();
    v_last text;
begin
    if starts_with(p_after, 'edge:') then
        v_after := cmbs_store.edge_ends(p_after) || split_part(p_after, '|', 3);
        if cardinality(v_after) is distinct from 3 then
            perform cmbs_store.refuse_request('after', 'must be the next of an earlier answer');
        end if;
    else
        v_ids := array(
            select l.node_id
            from cmbs_store.live_nodes(p_incident) as l
            where p_after is null or l.node_id collate "C" > p_after
            order by l.node_id collate "C"
            limit p_limit
        );
        v_last := v_ids[cardinality(v_ids)];
    end if;
    if cardinality(v_ids) < p_limit then
        v_edges := cmbs_store.edges_json(
            p_incident, v_after, p_limit - cardinality(v_ids)
        )::json;
        v_last := null;
        if cardinality(v_ids) + json_array_length(v_edges) = p_limit then
            select cmbs_store.edge_id(e.source, e.target, e.type)
            into v_last
            from json_to_recordset(v_edges) as e (source text, target text, type text)
            order by e.source collate "C" desc, e.target collate "C" desc, e.type collate "C" desc
            limit 1;
        end if;
    end if;
    return json_build_object(
        'nodes', cmbs_store.nodes_json(p_incident, v_ids)::json,
        'edges', v_edges,
        'next', v_last
    );
end
$$;
