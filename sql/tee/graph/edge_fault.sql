-- cmbs_store.edge_fault
--
-- What is wrong with an edge that is to be merged, null if nothing is. Its ends need not be nodes
-- yet.

create or replace function cmbs_store.edge_fault(
    p_edge jsonb
)
returns text
language sql
stable
as $$
    select coalesce(
        cmbs_store.edge_name_fault(p_edge),
        case
            when p_edge - array['source', 'target', 'type', 'provenance'] <> '{}'
            then 'must be an object of source, target, type and provenance'
        end,
        cmbs_store.provenance_fault(p_edge -> 'provenance')
    )
$$;
