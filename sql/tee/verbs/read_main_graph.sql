-- cmbs.read_main_graph
--
-- The causal graph of the caller's tenant, all of it (GetMainGraph).
--
-- Locks      nothing.
-- Raises     nothing of its own.

create or replace function cmbs.read_main_graph(
    p_credential bytea default null
)
returns json
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'read_main_graph', null);
    v_graph cmbs_store.incident;
begin
    v_graph.tenant := cmbs_store.own_tenant(v_caller);
    v_graph.version := cmbs_store.graph_version(v_graph.tenant);
    return format(
        '{"nodes": %s, "edges": %s}',
        cmbs_store.nodes_json(v_graph), cmbs_store.edges_json(v_graph)
    )::json;
end
$$;

grant execute on function cmbs.read_main_graph to cmbs_server, cmbs_agent, cmbs_auditor;
