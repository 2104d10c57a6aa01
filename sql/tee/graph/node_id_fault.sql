-- cmbs_store.node_id_fault
--
-- What is wrong with a JSON value that must be the id of a node, null if nothing is. What begins
-- with `edge:` is kept for edges.

create or replace function cmbs_store.node_id_fault(
    p_value jsonb
)
returns text
language sql
immutable
as $$
    select coalesce(
        cmbs_store.id_fault(p_value),
        case
            when starts_with(p_value #>> '{}', 'edge:') then 'must not begin with edge:'
        end
    )
$$;
