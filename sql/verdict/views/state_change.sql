-- cmbs.state_change
--
-- Every change of the state of sessions beside their belief: a key that was written or deleted
-- (state), a vector (core), another policy (policy).

create or replace view cmbs.state_change with (security_barrier) as
select
    c.session_id,
    c.seq,
    e.event_id,
    e.recorded_at as ts,
    e.actor,
    c.kind,
    c.key,
    c.value
from (
    select v.session_id, v.seq, 'state' as kind, v.key, v.value
    from cmbs_store.state_value as v
    union all
    select d.session_id, d.seq, 'core' as kind, null::text as key, d.s_core::text as value
    from cmbs_store.state_delta as d
    where d.s_core is not null
    union all
    select n.session_id, n.seq, 'policy' as kind, n.pack as key, n.version::text as value
    from cmbs_store.policy_pin as n
) as c
inner join cmbs_store.audit_event as e on e.session_id = c.session_id and e.seq = c.seq
where (
    (select cmbs.tenant()) = '*' or exists (
        select
        from cmbs_store.session as o
        where o.session_id = c.session_id and o.tenant = (select cmbs.tenant())
    )
);

comment on view cmbs.state_change is
'Every change of the state of sessions beside their belief.';
comment on column cmbs.state_change.session_id is 'the session';
comment on column cmbs.state_change.seq is
'number of the event in the log of its session, from 1 without gaps';
comment on column cmbs.state_change.event_id is 'the event';
comment on column cmbs.state_change.ts is 'when';
comment on column cmbs.state_change.actor is 'who';
comment on column cmbs.state_change.kind is 'state, core or policy';
comment on column cmbs.state_change.key is 'the key, or the policy pack';
comment on column cmbs.state_change.value is
'the text of the value, null where a key was deleted; of a policy its version';

revoke all on cmbs.state_change from public;
grant select on cmbs.state_change to cmbs_auditor, cmbs_policy, cmbs_analyst;
