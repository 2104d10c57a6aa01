-- cmbs.incident
--
-- Incidents, what they are pinned to, and how much they have ruled out.

create or replace view cmbs.incident with (security_barrier) as
select
    i.incident_id,
    i.tenant,
    i.created_at,
    i.created_by,
    'v' || i.version as universe_anchor,
    i.universe_digest is not null as is_subset,
    (
        select count(*)
        from cmbs_store.node_tombstone as t
        where t.incident_id = i.incident_id
    ) as n_node_tombstones,
    (
        select count(*)
        from cmbs_store.edge_tombstone as t
        where t.incident_id = i.incident_id
    ) as n_edge_tombstones
from cmbs_store.incident as i
where (select cmbs.tenant()) = '*' or i.tenant = (select cmbs.tenant());

comment on view cmbs.incident is
'Incidents, what they are pinned to, and how much they have ruled out.';
comment on column cmbs.incident.incident_id is 'the incident';
comment on column cmbs.incident.tenant is 'whose it is';
comment on column cmbs.incident.created_at is 'when it began';
comment on column cmbs.incident.created_by is 'the principal that created it';
comment on column cmbs.incident.universe_anchor is
'v and the version of the graph that it is pinned to';
comment on column cmbs.incident.is_subset is 'whether only a part of that graph is its universe';
comment on column cmbs.incident.n_node_tombstones is 'nodes that are ruled out';
comment on column cmbs.incident.n_edge_tombstones is 'edges that are ruled out';

revoke all on cmbs.incident from public;
grant select on cmbs.incident to cmbs_auditor, cmbs_policy, cmbs_analyst;
