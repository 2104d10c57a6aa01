-- cmbs.incident_tombstone
--
-- What incidents have ruled out, and who ruled it out.

create or replace view cmbs.incident_tombstone with (security_barrier) as
select
    t.incident_id,
    'node' as kind,
    t.node_id as id,
    t.is_matched as matched,
    v.source_id,
    v.trigger,
    v.occurred_at,
    v.recorded_at,
    v.actor
from cmbs_store.node_tombstone as t
inner join cmbs_store.incident_event as v
    on v.incident_id = t.incident_id and v.event_no = t.event_no
where (
        (select cmbs.tenant()) = '*' or exists (
            select
            from cmbs_store.incident as o
            where o.incident_id = t.incident_id and o.tenant = (select cmbs.tenant())
        )
    )
union all
select
    t.incident_id,
    'edge' as kind,
    'edge:' || replace(replace(t.source, '%', '%25'), '|', '%7C')
        || '|' || replace(replace(t.target, '%', '%25'), '|', '%7C')
        || '|' || t.type as id,
    t.is_matched as matched,
    v.source_id,
    v.trigger,
    v.occurred_at,
    v.recorded_at,
    v.actor
from cmbs_store.edge_tombstone as t
inner join cmbs_store.incident_event as v
    on v.incident_id = t.incident_id and v.event_no = t.event_no
where (
        (select cmbs.tenant()) = '*' or exists (
            select
            from cmbs_store.incident as o
            where o.incident_id = t.incident_id and o.tenant = (select cmbs.tenant())
        )
    );

comment on view cmbs.incident_tombstone is
'What incidents have ruled out, and who ruled it out.';
comment on column cmbs.incident_tombstone.incident_id is 'the incident';
comment on column cmbs.incident_tombstone.kind is 'node or edge';
comment on column cmbs.incident_tombstone.id is 'the node, or the edge as edge:source|target|TYPE';
comment on column cmbs.incident_tombstone.matched is 'whether the graph had it by then';
comment on column cmbs.incident_tombstone.source_id is 'who ruled it out';
comment on column cmbs.incident_tombstone.trigger is 'on what';
comment on column cmbs.incident_tombstone.occurred_at is 'when that was, if it was told';
comment on column cmbs.incident_tombstone.recorded_at is 'when it was recorded';
comment on column cmbs.incident_tombstone.actor is 'the principal that recorded it';

revoke all on cmbs.incident_tombstone from public;
grant select on cmbs.incident_tombstone to cmbs_auditor, cmbs_policy, cmbs_analyst;
