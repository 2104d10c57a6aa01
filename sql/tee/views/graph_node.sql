-- cmbs.graph_node
--
-- The nodes of causal graphs, as they are now.

create or replace view cmbs.graph_node with (security_barrier) as
select
    n.tenant,
    n.node_id,
    n.type,
    n.label,
    n.is_hypothetical and not exists (
        select
        from cmbs_store.graph_node_confirmation as c
        where c.tenant = n.tenant and c.node_id = n.node_id
    ) as hypothetical,
    jsonb_build_array(
        jsonb_build_object(
            'source', n.source_id, 'trigger', n.trigger, 'timestamp', n.occurred_at
        )
    ) || (
        select coalesce(jsonb_agg(
            jsonb_build_object(
                'source', p.source_id, 'trigger', p.trigger, 'timestamp', p.occurred_at
            )
            order by p.version, p.source_id, p.trigger
        ), '[]')
        from cmbs_store.graph_node_provenance as p
        where p.tenant = n.tenant and p.node_id = n.node_id
    ) as provenance,
    n.version
from cmbs_store.graph_node as n
where (select cmbs.tenant()) = '*' or n.tenant = (select cmbs.tenant());

comment on view cmbs.graph_node is
'The nodes of causal graphs, as they are now.';
comment on column cmbs.graph_node.tenant is 'whose graph';
comment on column cmbs.graph_node.node_id is 'the node';
comment on column cmbs.graph_node.type is 'what kind of thing it is';
comment on column cmbs.graph_node.label is 'what people call it';
comment on column cmbs.graph_node.hypothetical is
'whether nobody has said that it is there for certain';
comment on column cmbs.graph_node.provenance is 'who says that it is there, and on what; a list';
comment on column cmbs.graph_node.version is 'the version of the graph at which it appeared';

revoke all on cmbs.graph_node from public;
grant select on cmbs.graph_node to cmbs_auditor, cmbs_policy, cmbs_analyst;
