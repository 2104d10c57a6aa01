-- cmbs.live_edge
--
-- The live view of every incident: edges that lead from what is left to what is left.

create or replace view cmbs.live_edge with (security_barrier) as
select
    i.incident_id,
    e.source,
    e.target,
    e.type
from cmbs_store.incident as i
inner join cmbs_store.graph_edge as e on e.tenant = i.tenant and e.version <= i.version
inner join cmbs_store.graph_node as s
    on s.tenant = i.tenant and s.node_id = e.source and s.version <= i.version
inner join cmbs_store.graph_node as d
    on d.tenant = i.tenant and d.node_id = e.target and d.version <= i.version
where ((select cmbs.tenant()) = '*' or i.tenant = (select cmbs.tenant()))
    and (
        not i.has_edges_listed or exists (
            select
            from cmbs_store.context_hypothesis as h
            where h.universe_digest = i.universe_digest
                and h.hypothesis_id = 'edge:' || replace(replace(e.source, '%', '%25'), '|', '%7C')
                    || '|' || replace(replace(e.target, '%', '%25'), '|', '%7C')
                    || '|' || e.type
        )
    )
    and (
        i.universe_digest is null or i.has_edges_listed or 2 = (
            select count(*)
            from cmbs_store.context_hypothesis as h
            where h.universe_digest = i.universe_digest
                and h.hypothesis_id in (e.source, e.target)
        )
    )
    and not exists (
        select
        from cmbs_store.node_tombstone as t
        where t.incident_id = i.incident_id and t.node_id = e.source
    )
    and not exists (
        select
        from cmbs_store.node_tombstone as t
        where t.incident_id = i.incident_id and t.node_id = e.target
    )
    and not exists (
        select
        from cmbs_store.edge_tombstone as t
        where t.incident_id = i.incident_id
            and t.source = e.source
            and t.target = e.target
            and t.type = e.type
    );

comment on view cmbs.live_edge is
'Of every incident the edges that it has not ruled out, nor one of their ends.';
comment on column cmbs.live_edge.incident_id is 'the incident';
comment on column cmbs.live_edge.source is 'the node that it leads from';
comment on column cmbs.live_edge.target is 'the node that it leads to';
comment on column cmbs.live_edge.type is 'how the one acts on the other';

revoke all on cmbs.live_edge from public;
grant select on cmbs.live_edge to cmbs_auditor, cmbs_policy, cmbs_analyst;
