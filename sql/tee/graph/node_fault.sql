-- cmbs_store.node_fault
--
-- What is wrong with a node that is to be merged, null if nothing is.

create or replace function cmbs_store.node_fault(
    p_node jsonb
)
returns text
language sql
stable
as $$
    select case
        when jsonb_typeof(p_node) <> 'object'
            or p_node - array['id', 'type', 'label', 'hypothetical', 'provenance'] <> '{}'
        then 'must be an object of id, type, label, hypothetical and provenance'
        when not p_node ?& '{id, type, label}'
        then cmbs_store.missing_member(p_node, '{id, type, label}') || ' is missing'
        when cmbs_store.node_id_fault(p_node -> 'id') is not null
        then 'id ' || cmbs_store.node_id_fault(p_node -> 'id')
        when jsonb_typeof(p_node -> 'type') is distinct from 'string'
            or p_node ->> 'type' <> all(cmbs_store.graph_types('node'))
        then 'type must be one of ' || array_to_string(cmbs_store.graph_types('node'), ', ')
        when jsonb_typeof(p_node -> 'label') is distinct from 'string'
            or octet_length(p_node ->> 'label') not between 1 and 4096
        then 'label must be text of 1 to 4096 bytes'
        when coalesce(jsonb_typeof(p_node -> 'hypothetical'), 'boolean') <> 'boolean'
        then 'hypothetical must be true or false'
        else cmbs_store.provenance_fault(p_node -> 'provenance')
    end
$$;
