-- cmbs_store.check_graph_sources
--
-- Refuses provenance of a source that the principal may not speak for.
--
-- Raises     MB302 FORBIDDEN.

create or replace function cmbs_store.check_graph_sources(
    p_caller cmbs_store.principal,
    p_nodes jsonb,
    p_edges jsonb
)
returns void
language plpgsql
stable
as $$
begin
    perform cmbs_store.check_source(p_caller, s.source)
    from (
        select distinct p.value ->> 'source' as source
        from jsonb_array_elements(p_nodes || p_edges) as n (value)
        cross join lateral jsonb_array_elements(n.value -> 'provenance') as p (value)
    ) as s;
end
$$;
