-- cmbs_store.edge_name_fault
--
-- What is wrong with the name of an edge, its ends and its type, null if nothing is.

create or replace function cmbs_store.edge_name_fault(
    p_edge jsonb
)
returns text
language sql
stable
as $$
    select case
        when jsonb_typeof(p_edge) <> 'object' then 'must be an object of source, target and type'
        when cmbs_store.node_id_fault(p_edge -> 'source') is not null
        then 'source ' || cmbs_store.node_id_fault(p_edge -> 'source')
        when cmbs_store.node_id_fault(p_edge -> 'target') is not null
        then 'target ' || cmbs_store.node_id_fault(p_edge -> 'target')
        when p_edge -> 'source' = p_edge -> 'target' then 'must not lead from a node to itself'
        when not p_edge ? 'type' then 'type is missing'
        when jsonb_typeof(p_edge -> 'type') is distinct from 'string'
            or p_edge ->> 'type' <> all(cmbs_store.graph_types('edge'))
        then 'type must be one of ' || array_to_string(cmbs_store.graph_types('edge'), ', ')
    end
$$;
