-- cmbs_store.merge_edges
--
-- Merges checked edges into a graph whose row is locked: ends and type are what an edge is, so what
-- is there already gains provenance alone.
--
-- p_version   the version at which what is new appears
-- p_created   the ids of the edges that are new, as they were sent
-- p_is_changed  whether anything was added

create or replace function cmbs_store.merge_edges(
    p_tenant text,
    p_version bigint,
    p_edges jsonb,
    out p_created text[],
    out p_is_changed boolean
)
language plpgsql
volatile
as $$
begin
    with new_edge as (
        select
            e.value ->> 'source' as source, e.value ->> 'target' as target,
            e.value ->> 'type' as type, min(e.no) as no
        from jsonb_array_elements(p_edges) with ordinality as e (value, no)
        where (
            select true
            from cmbs_store.graph_edge as g
            where g.tenant = p_tenant
                and g.source = e.value ->> 'source'
                and g.target = e.value ->> 'target'
                and g.type = e.value ->> 'type'
        ) is null
        group by 1, 2, 3
    )
    select coalesce(
        array_agg(cmbs_store.edge_id(n.source, n.target, n.type) order by n.no), '{}'
    )
    into p_created
    from new_edge as n;
    p_is_changed := cardinality(p_created) > 0;
    if p_is_changed then
        insert into cmbs_store.graph_edge (
            tenant, source, target, type, version, source_id, trigger, occurred_at
        )
        select
            p_tenant, e.value ->> 'source', e.value ->> 'target', e.value ->> 'type', p_version,
            e.value #>> '{provenance,0,source}', e.value #>> '{provenance,0,trigger}',
            (e.value #>> '{provenance,0,timestamp}')::timestamptz
        from jsonb_array_elements(p_edges) with ordinality as e (value, no)
        order by e.no
        on conflict (tenant, source, target, type) do nothing;
    end if;
    insert into cmbs_store.graph_edge_provenance (
        tenant, source, target, type, source_id, trigger, version, occurred_at
    )
    select
        p_tenant, g.source, g.target, g.type, p.value ->> 'source', p.value ->> 'trigger',
        p_version, (p.value ->> 'timestamp')::timestamptz
    from jsonb_array_elements(p_edges) as e (value)
    cross join lateral (
        select g.source, g.target, g.type, g.source_id, g.trigger
        from cmbs_store.graph_edge as g
        where g.tenant = p_tenant
            and g.source = e.value ->> 'source'
            and g.target = e.value ->> 'target'
            and g.type = e.value ->> 'type'
        offset 0
    ) as g
    cross join lateral jsonb_array_elements(e.value -> 'provenance') as p (value)
    where g.source_id <> p.value ->> 'source' or g.trigger <> p.value ->> 'trigger'
    on conflict (tenant, source, target, type, source_id, trigger) do nothing;
    p_is_changed := p_is_changed or found;
end
$$;
