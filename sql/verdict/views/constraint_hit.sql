-- cmbs.constraint_hit
--
-- How often each constraint of each policy stood against something.

create or replace view cmbs.constraint_hit with (security_barrier) as
select
    p.payload #>> '{policy,pack}' as pack,
    (p.payload #>> '{policy,version}')::integer as version,
    p.payload #>> '{policy,policy_hash}' as policy_hash,
    r.reason ->> 'key' as key,
    r.reason ->> 'code' as code,
    count(*) as n_hits,
    count(distinct e.session_id) as n_sessions,
    max(e.recorded_at) as last_at
from cmbs_store.audit_event as e
cross join lateral (select e.record::jsonb -> 'payload' as payload offset 0) as p
cross join lateral jsonb_array_elements(p.payload -> 'reasons') as r (reason)
where e.verb in ('PROPOSE', 'RECORD_CLAIM')
and r.reason ->> 'stage' in ('constraints', 'invariants')
and r.reason ? 'key'
and (
    (select cmbs.tenant()) = '*' or exists (
        select
        from cmbs_store.session as o
        where o.session_id = e.session_id and o.tenant = (select cmbs.tenant())
    )
)
group by 1, 2, 3, 4, 5;

comment on view cmbs.constraint_hit is
'How often each constraint of each policy stood against something.';
comment on column cmbs.constraint_hit.pack is 'the policy pack';
comment on column cmbs.constraint_hit.version is 'its version';
comment on column cmbs.constraint_hit.policy_hash is 'the sha-256 of its content';
comment on column cmbs.constraint_hit.key is 'the constraint';
comment on column cmbs.constraint_hit.code is 'CONSTRAINT_DENIED and the like';
comment on column cmbs.constraint_hit.n_hits is 'how often';
comment on column cmbs.constraint_hit.n_sessions is 'in how many sessions';
comment on column cmbs.constraint_hit.last_at is 'when last';

revoke all on cmbs.constraint_hit from public;
grant select on cmbs.constraint_hit to cmbs_auditor, cmbs_policy, cmbs_analyst;
