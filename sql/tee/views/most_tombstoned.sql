-- cmbs.most_tombstoned
--
-- What is ruled out in most incidents: what is looked at first, and never is it.

create or replace view cmbs.most_tombstoned with (security_barrier) as
select
    r.tenant,
    r.kind,
    r.id,
    count(*) as n_incidents,
    count(*)::double precision / max(a.n_incidents) as share,
    max(r.recorded_at) as last_at
from (
    select
        i.tenant,
        'node' as kind,
        t.node_id as id,
        v.recorded_at
    from cmbs_store.node_tombstone as t
    inner join cmbs_store.incident as i on i.incident_id = t.incident_id
    inner join cmbs_store.incident_event as v
        on v.incident_id = t.incident_id and v.event_no = t.event_no
    union all
    select
        i.tenant,
        'edge' as kind,
        'edge:' || replace(replace(t.source, '%', '%25'), '|', '%7C')
        || '|' || replace(replace(t.target, '%', '%25'), '|', '%7C')
        || '|' || t.type as id,
        v.recorded_at
    from cmbs_store.edge_tombstone as t
    inner join cmbs_store.incident as i on i.incident_id = t.incident_id
    inner join cmbs_store.incident_event as v
        on v.incident_id = t.incident_id and v.event_no = t.event_no
) as r
inner join (
    select c.tenant, count(*) as n_incidents from cmbs_store.incident as c group by c.tenant
) as a on a.tenant = r.tenant
where (select cmbs.tenant()) = '*' or r.tenant = (select cmbs.tenant())
group by r.tenant, r.kind, r.id;

comment on view cmbs.most_tombstoned is
'In how many incidents each node and edge is ruled out.';
comment on column cmbs.most_tombstoned.tenant is 'whose incidents';
comment on column cmbs.most_tombstoned.kind is 'node or edge';
comment on column cmbs.most_tombstoned.id is 'the node, or the edge as edge:source|target|TYPE';
comment on column cmbs.most_tombstoned.n_incidents is 'incidents that have ruled it out';
comment on column cmbs.most_tombstoned.share is 'of all incidents of the tenant';
comment on column cmbs.most_tombstoned.last_at is 'when one did so last';

revoke all on cmbs.most_tombstoned from public;
grant select on cmbs.most_tombstoned to cmbs_auditor, cmbs_policy, cmbs_analyst;
