-- cmbs_store.merge_nodes
--
-- Merges checked nodes into a graph whose row is locked. What is there already keeps its type and
-- its label, and who says otherwise is not accepted: that changes nothing. What others say is added
-- to its provenance, and once somebody says that it is not hypothetical, it is not.
--
-- Each node is looked up by itself: a join reads the whole graph until its tables are analyzed.
--
-- p_version     the version at which what is new appears
-- p_created     the ids that are new, as they were sent
-- p_accepted    the nodes that say of the graph what it says, those that are new included
-- p_is_changed  whether anything was added

create or replace function cmbs_store.merge_nodes(
    p_tenant text,
    p_version bigint,
    p_nodes jsonb,
    out p_created text[],
    out p_accepted jsonb,
    out p_is_changed boolean
)
language plpgsql
volatile
as $$
declare
    v_n bigint;
begin
    p_created := array(
        select n.value ->> 'id'
        from jsonb_array_elements(p_nodes) with ordinality as n (value, no)
        where (
            select true
            from cmbs_store.graph_node as g
            where g.tenant = p_tenant and g.node_id = n.value ->> 'id'
        ) is null
        group by 1
        order by min(n.no)
    );
    insert into cmbs_store.graph_node (
        tenant, node_id, version, type, label, is_hypothetical, source_id, trigger, occurred_at
    )
    select
        p_tenant, f.value ->> 'id', p_version, f.value ->> 'type', f.value ->> 'label',
        coalesce((f.value ->> 'hypothetical')::boolean, false),
        f.value #>> '{provenance,0,source}', f.value #>> '{provenance,0,trigger}',
        (f.value #>> '{provenance,0,timestamp}')::timestamptz
    from (
        select (array_agg(n.value order by n.no))[1] as value
        from unnest(p_created) as c (id)
        inner join jsonb_array_elements(p_nodes) with ordinality as n (value, no)
            on n.value ->> 'id' = c.id
        group by c.id
    ) as f;
    select coalesce(jsonb_agg(n.value order by n.no), '[]')
    into p_accepted
    from jsonb_array_elements(p_nodes) with ordinality as n (value, no)
    cross join lateral (
        select g.type, g.label
        from cmbs_store.graph_node as g
        where g.tenant = p_tenant and g.node_id = n.value ->> 'id'
        offset 0
    ) as g
    where g.type = n.value ->> 'type' and g.label = n.value ->> 'label';
    insert into cmbs_store.graph_node_confirmation (tenant, node_id, version)
    select distinct p_tenant, g.node_id, p_version
    from jsonb_array_elements(p_accepted) as n (value)
    cross join lateral (
        select g.node_id, g.is_hypothetical
        from cmbs_store.graph_node as g
        where g.tenant = p_tenant and g.node_id = n.value ->> 'id'
        offset 0
    ) as g
    where g.is_hypothetical and not coalesce((n.value ->> 'hypothetical')::boolean, false)
    on conflict (tenant, node_id) do nothing;
    get diagnostics v_n = row_count;
    p_is_changed := cardinality(p_created) > 0 or v_n > 0;
    insert into cmbs_store.graph_node_provenance (
        tenant, node_id, source_id, trigger, version, occurred_at
    )
    select
        p_tenant, g.node_id, p.value ->> 'source', p.value ->> 'trigger', p_version,
        (p.value ->> 'timestamp')::timestamptz
    from jsonb_array_elements(p_accepted) as n (value)
    cross join lateral (
        select g.node_id, g.source_id, g.trigger
        from cmbs_store.graph_node as g
        where g.tenant = p_tenant and g.node_id = n.value ->> 'id'
        offset 0
    ) as g
    cross join lateral jsonb_array_elements(n.value -> 'provenance') as p (value)
    where g.source_id <> p.value ->> 'source' or g.trigger <> p.value ->> 'trigger'
    on conflict (tenant, node_id, source_id, trigger) do nothing;
    p_is_changed := p_is_changed or found;
end
$$;
