-- cmbs.graph_edge
--
-- The edges of causal graphs, as they are now; an end need not be a node yet.

create or replace view cmbs.graph_edge with (security_barrier) as
select
    e.tenant,
    e.source,
    e.target,
    e.type,
    jsonb_build_array(
        jsonb_build_object(
            'source', e.source_id, 'trigger', e.trigger, 'timestamp', e.occurred_at
        )
    ) || (
        select coalesce(jsonb_agg(
            jsonb_build_object(
                'source', p.source_id, 'trigger', p.trigger, 'timestamp', p.occurred_at
            )
            order by p.version, p.source_id, p.trigger
        ), '[]')
        from cmbs_store.graph_edge_provenance as p
        where p.tenant = e.tenant
            and p.source = e.source
            and p.target = e.target
            and p.type = e.type
    ) as provenance,
    e.version
from cmbs_store.graph_edge as e
where (select cmbs.tenant()) = '*' or e.tenant = (select cmbs.tenant());

comment on view cmbs.graph_edge is
'The edges of causal graphs, as they are now.';
comment on column cmbs.graph_edge.tenant is 'whose graph';
comment on column cmbs.graph_edge.source is 'the node that it leads from';
comment on column cmbs.graph_edge.target is 'the node that it leads to';
comment on column cmbs.graph_edge.type is 'how the one acts on the other';
comment on column cmbs.graph_edge.provenance is 'who says that it is there, and on what; a list';
comment on column cmbs.graph_edge.version is 'the version of the graph at which it appeared';

revoke all on cmbs.graph_edge from public;
grant select on cmbs.graph_edge to cmbs_auditor, cmbs_policy, cmbs_analyst;
