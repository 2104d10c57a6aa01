-- cmbs.live_node
--
-- The live view of every incident: nodes that it has not ruled out.

create or replace view cmbs.live_node with (security_barrier) as
select
    i.incident_id,
    n.node_id,
    n.type,
    n.label,
    n.is_hypothetical and not exists (
        select
        from cmbs_store.graph_node_confirmation as c
        where c.tenant = n.tenant and c.node_id = n.node_id and c.version <= i.version
    ) as hypothetical
from cmbs_store.incident as i
inner join cmbs_store.graph_node as n on n.tenant = i.tenant and n.version <= i.version
where ((select cmbs.tenant()) = '*' or i.tenant = (select cmbs.tenant()))
    and (
        i.universe_digest is null or exists (
            select
            from cmbs_store.context_hypothesis as h
            where h.universe_digest = i.universe_digest and h.hypothesis_id = n.node_id
        )
    )
    and not exists (
        select
        from cmbs_store.node_tombstone as t
        where t.incident_id = i.incident_id and t.node_id = n.node_id
    );

comment on view cmbs.live_node is
'Of every incident the nodes that it has not ruled out of the graph that it is pinned to.';
comment on column cmbs.live_node.incident_id is 'the incident';
comment on column cmbs.live_node.node_id is 'the node';
comment on column cmbs.live_node.type is 'what kind of thing it is';
comment on column cmbs.live_node.label is 'what people call it';
comment on column cmbs.live_node.hypothetical is
'whether nobody had said that it is there for certain';

revoke all on cmbs.live_node from public;
grant select on cmbs.live_node to cmbs_auditor, cmbs_policy, cmbs_analyst;
