-- cmbs_store.check_graph
--
-- Refuses nodes and edges that cannot be merged, before anything is written.
--
-- Raises     MB201 INVALID_REQUEST, which names the first that is wrong.

create or replace function cmbs_store.check_graph(
    p_nodes jsonb,
    p_edges jsonb
)
returns void
language plpgsql
stable
as $$
declare
    v_bad record;
begin
    select f.member, f.problem
    into v_bad
    from (
        select
            1 as kind, n.no, format('nodes[%s]', n.no - 1) as member,
            cmbs_store.node_fault(n.value) as problem
        from jsonb_array_elements(p_nodes) with ordinality as n (value, no)
        union all
        select
            2 as kind, e.no, format('edges[%s]', e.no - 1) as member,
            cmbs_store.edge_fault(e.value) as problem
        from jsonb_array_elements(p_edges) with ordinality as e (value, no)
    ) as f
    where f.problem is not null
    order by f.kind, f.no
    limit 1;
    if found then
        perform cmbs_store.refuse_request(v_bad.member, v_bad.problem);
    end if;
end
$$;
