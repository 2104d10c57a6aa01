-- cmbs_store.merged_ids
--
-- The ids of a merge that were there before, as they were sent, each once.

create or replace function cmbs_store.merged_ids(
    p_nodes jsonb,
    p_edges jsonb,
    p_created text[]
)
returns text[]
language sql
stable
as $$
    select array(
        select i.id
        from (
            select n.value ->> 'id' as id, n.no
            from jsonb_array_elements(p_nodes) with ordinality as n (value, no)
            union all
            select
                cmbs_store.edge_id(e.value ->> 'source', e.value ->> 'target', e.value ->> 'type'),
                jsonb_array_length(p_nodes) + e.no
            from jsonb_array_elements(p_edges) with ordinality as e (value, no)
        ) as i
        where i.id not in (select c.id from unnest(p_created) as c (id))
        group by i.id
        order by min(i.no)
    )
$$;
