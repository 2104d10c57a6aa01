-- cmbs_store.graph_conflicts
--
-- Where merged nodes say otherwise than the graph, which stands.

create or replace function cmbs_store.graph_conflicts(
    p_tenant text,
    p_nodes jsonb
)
returns jsonb
language sql
stable
as $$
    select coalesce(
        jsonb_agg(
            jsonb_build_object(
                'id', c.id, 'field', c.field, 'existing', c.existing, 'proposed', c.proposed
            )
            order by c.no, c.field
        ),
        '[]'
    )
    from (
        select distinct on (g.node_id, f.field, f.proposed)
            g.node_id as id, f.field, f.existing, f.proposed, n.no
        from jsonb_array_elements(p_nodes) with ordinality as n (value, no)
        cross join lateral (
            select g.node_id, g.type, g.label
            from cmbs_store.graph_node as g
            where g.tenant = p_tenant and g.node_id = n.value ->> 'id'
            offset 0
        ) as g
        cross join lateral (
            values
            ('type', g.type, n.value ->> 'type'), ('label', g.label, n.value ->> 'label')
        ) as f (field, existing, proposed)
        where f.existing <> f.proposed
        order by g.node_id, f.field, f.proposed, n.no
    ) as c
$$;
