-- cmbs_store.edge_ends
--
-- The ends of the edge that an id of a hypothesis names; null if it is the id of no edge.

create or replace function cmbs_store.edge_ends(
    p_id text
)
returns text[]
language sql
immutable
as $$
    select case
        when cmbs_store.edge_id(p.ends[1], p.ends[2], p.type) = p_id
            and p.type = any(cmbs_store.graph_types('edge'))
        then p.ends
    end
    from (
        select
            array[
                replace(replace(split_part(t.parts, '|', 1), '%7C', '|'), '%25', '%'),
                replace(replace(split_part(t.parts, '|', 2), '%7C', '|'), '%25', '%')
            ] as ends,
            split_part(t.parts, '|', 3) as type
        from (select substr(p_id, 6) as parts) as t
    ) as p
$$;
