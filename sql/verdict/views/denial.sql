-- cmbs.denial
--
-- Why proposals and claims were not allowed: one row for each reason. Group by code for denials by
-- reason.

create or replace view cmbs.denial with (security_barrier) as
select
    e.session_id,
    e.seq,
    e.recorded_at as ts,
    e.actor,
    e.verb,
    (r.reason ->> 'item_no')::integer as item_no,
    r.reason ->> 'stage' as stage,
    r.reason ->> 'code' as code,
    r.reason ->> 'key' as key,
    r.reason ->> 'disposition' as disposition,
    r.reason ->> 'detail' as detail
from cmbs_store.audit_event as e
cross join lateral (select e.record::jsonb -> 'payload' as payload offset 0) as p
cross join lateral jsonb_array_elements(p.payload -> 'reasons') as r (reason)
where e.verb in ('PROPOSE', 'RECORD_CLAIM')
and (
    (select cmbs.tenant()) = '*' or exists (
        select
        from cmbs_store.session as o
        where o.session_id = e.session_id and o.tenant = (select cmbs.tenant())
    )
);

comment on view cmbs.denial is
'Why proposals and claims were not allowed: one row for each reason.';
comment on column cmbs.denial.session_id is 'the session';
comment on column cmbs.denial.seq is
'number of the event in the log of its session, from 1 without gaps';
comment on column cmbs.denial.ts is 'when';
comment on column cmbs.denial.actor is 'who proposed or claimed';
comment on column cmbs.denial.verb is 'PROPOSE or RECORD_CLAIM';
comment on column cmbs.denial.item_no is 'the item that it stands against, null if against all';
comment on column cmbs.denial.stage is 'the stage that failed';
comment on column cmbs.denial.code is 'the reason code: see cmbs.reason_code';
comment on column cmbs.denial.key is 'the constraint or the key of the state that it is about';
comment on column cmbs.denial.disposition is 'what follows from it';
comment on column cmbs.denial.detail is 'in words';

revoke all on cmbs.denial from public;
grant select on cmbs.denial to cmbs_auditor, cmbs_policy, cmbs_analyst;
