-- cmbs.graph_growth
--
-- How causal graphs grew: what each merge added, and what there was after it.

create or replace view cmbs.graph_growth with (security_barrier) as
select
    m.tenant,
    m.version,
    m.merged_at,
    m.merged_by,
    coalesce(n.n_new, 0) as n_new_nodes,
    coalesce(e.n_new, 0) as n_new_edges,
    (sum(coalesce(n.n_new, 0)) over running)::bigint as n_nodes,
    (sum(coalesce(e.n_new, 0)) over running)::bigint as n_edges
from cmbs_store.graph_merge as m
left join (
    select g.tenant, g.version, count(*) as n_new
    from cmbs_store.graph_node as g
    group by g.tenant, g.version
) as n on n.tenant = m.tenant and n.version = m.version
left join (
    select g.tenant, g.version, count(*) as n_new
    from cmbs_store.graph_edge as g
    group by g.tenant, g.version
) as e on e.tenant = m.tenant and e.version = m.version
where (select cmbs.tenant()) = '*' or m.tenant = (select cmbs.tenant())
window running as (partition by m.tenant order by m.version);

comment on view cmbs.graph_growth is
'What each merge added to a causal graph, and what there was after it.';
comment on column cmbs.graph_growth.tenant is 'whose graph';
comment on column cmbs.graph_growth.version is
'the version that the merge made; an incident is pinned to one';
comment on column cmbs.graph_growth.merged_at is 'when';
comment on column cmbs.graph_growth.merged_by is 'the principal that merged it';
comment on column cmbs.graph_growth.n_new_nodes is
'nodes that it added; with none it added edges or provenance';
comment on column cmbs.graph_growth.n_new_edges is 'edges that it added';
comment on column cmbs.graph_growth.n_nodes is 'nodes of the graph after it';
comment on column cmbs.graph_growth.n_edges is 'edges of the graph after it';

revoke all on cmbs.graph_growth from public;
grant select on cmbs.graph_growth to cmbs_auditor, cmbs_policy, cmbs_analyst;
