-- cmbs.merge_hypothesis
--
-- Merges nodes and edges into the causal graph of the caller's tenant (MergeHypothesis).
--
-- p_nodes, p_edges   lists of objects, named as the members of the wire
-- Promises   all or nothing; the graph only grows; repeatable; of nodes the first type and label
--            stand, and what says otherwise is told in `conflicts`.
-- Locks      the row of the graph, after everything was checked.
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE, MB302 FORBIDDEN.

create or replace function cmbs.merge_hypothesis(
    p_nodes json default null,
    p_edges json default null,
    p_credential bytea default null
)
returns json
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'merge_hypothesis', '{agent, encoder}'
    );
    v_tenant text := cmbs_store.own_tenant(v_caller);
    v_nodes jsonb := cmbs_store.checked_list('nodes', p_nodes, 100000);
    v_edges jsonb := cmbs_store.checked_list('edges', p_edges, 100000);
    v_version bigint;
    v_node record;
    v_edge record;
begin
    perform cmbs_store.check_writable();
    perform cmbs_store.check_graph(v_nodes, v_edges);
    if v_caller.source_prefixes is not null then
        perform cmbs_store.check_graph_sources(v_caller, v_nodes, v_edges);
    end if;
    insert into cmbs_store.graph_head (tenant, version)
    values (v_tenant, 0)
    on conflict (tenant) do nothing;
    select h.version + 1
    into strict v_version
    from cmbs_store.graph_head as h
    where h.tenant = v_tenant
    for no key update;
    v_node := cmbs_store.merge_nodes(v_tenant, v_version, v_nodes);
    v_edge := cmbs_store.merge_edges(v_tenant, v_version, v_edges);
    if v_node.p_is_changed or v_edge.p_is_changed then
        update cmbs_store.graph_head as h
        set version = v_version
        where h.tenant = v_tenant;
        insert into cmbs_store.graph_merge (tenant, version, merged_at, merged_by)
        values (v_tenant, v_version, cmbs_store.clock(), v_caller.name);
    end if;
    return json_build_object(
        'created', v_node.p_created || v_edge.p_created,
        'merged', cmbs_store.merged_ids(
            v_node.p_accepted, v_edges, v_node.p_created || v_edge.p_created
        ),
        'conflicts', cmbs_store.graph_conflicts(v_tenant, v_nodes)
    );
end
$$;

grant execute on function cmbs.merge_hypothesis to cmbs_server, cmbs_agent;
