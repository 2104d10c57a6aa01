-- cmbs.deferral
--
-- Every try of every deferred proposal.

create or replace view cmbs.deferral with (security_barrier) as
select
    d.session_id,
    d.deferral_id,
    d.seq,
    d.attempt,
    e.recorded_at as ts,
    e.actor,
    coalesce(p.payload #>> '{retries,by}', e.actor) as tried_by,
    p.payload ->> 'decision' as decision,
    p.payload ->> 'reason_code' as reason_code,
    d.keys as missing,
    d.next_at,
    d.seq = max(d.seq) over (partition by d.session_id, d.deferral_id) as is_last
from cmbs_store.deferral as d
inner join cmbs_store.audit_event as e on e.session_id = d.session_id and e.seq = d.seq
cross join lateral (select e.record::jsonb -> 'payload' as payload offset 0) as p
where (
    (select cmbs.tenant()) = '*' or exists (
        select
        from cmbs_store.session as o
        where o.session_id = d.session_id and o.tenant = (select cmbs.tenant())
    )
);

comment on view cmbs.deferral is
'Every try of every deferred proposal, and what it waits for.';
comment on column cmbs.deferral.session_id is 'the session';
comment on column cmbs.deferral.deferral_id is 'what all tries of one proposal share';
comment on column cmbs.deferral.seq is
'number of the event in the log of its session, from 1 without gaps';
comment on column cmbs.deferral.attempt is '0 for the proposal itself, then the number of the try';
comment on column cmbs.deferral.ts is 'when';
comment on column cmbs.deferral.actor is 'who proposed it';
comment on column cmbs.deferral.tried_by is 'who committed what it waited for, or swept';
comment on column cmbs.deferral.decision is 'allow, deny or defer';
comment on column cmbs.deferral.reason_code is 'the first stage that failed, or ALLOWED';
comment on column cmbs.deferral.missing is 'the keys that it waits for';
comment on column cmbs.deferral.next_at is
'when it is tried again in any case; null: it waits no more';
comment on column cmbs.deferral.is_last is 'whether it is the last try until now';

revoke all on cmbs.deferral from public;
grant select on cmbs.deferral to cmbs_auditor, cmbs_policy, cmbs_analyst;
