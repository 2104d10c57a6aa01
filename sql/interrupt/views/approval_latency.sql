-- cmbs.approval_latency
--
-- How long people take to answer, and what they answer, by constraint.

create or replace view cmbs.approval_latency with (security_barrier) as
select
    k.key,
    count(*) as n_questions,
    count(*) filter (where r.resolution = 'approve') as n_approved,
    count(*) filter (where r.resolution = 'decline') as n_declined,
    count(*) filter (where r.resolution = 'cancel') as n_cancelled,
    count(*) filter (where r.resolution is null) as n_unanswered,
    percentile_cont(0.5) within group (
        order by extract(epoch from x.recorded_at - e.recorded_at)
    ) as median_seconds,
    percentile_cont(0.95) within group (
        order by extract(epoch from x.recorded_at - e.recorded_at)
    ) as p95_seconds
from cmbs_store.interrupt as i
inner join cmbs_store.session as s on s.session_id = i.session_id
inner join cmbs_store.audit_event as e on e.session_id = i.session_id and e.seq = i.seq
-- A question that a token asked for has no key.
left join lateral unnest(i.constraint_keys) as k (key) on true
left join cmbs_store.interrupt_resolution as r
    on r.session_id = i.session_id and r.interrupt_id = i.interrupt_id
left join cmbs_store.audit_event as x on x.session_id = r.session_id and x.seq = r.seq
where (select cmbs.tenant()) = '*' or s.tenant = (select cmbs.tenant())
group by k.key;

comment on view cmbs.approval_latency is
'How long people take to answer questions, and what they answer, by constraint.';
comment on column cmbs.approval_latency.key is
'the constraint that an approval waives; null where a token asks for approval';
comment on column cmbs.approval_latency.n_questions is 'how many questions it opened';
comment on column cmbs.approval_latency.n_approved is 'how many were approved';
comment on column cmbs.approval_latency.n_declined is 'how many were declined';
comment on column cmbs.approval_latency.n_cancelled is 'how many were cancelled';
comment on column cmbs.approval_latency.n_unanswered is 'how many have no answer';
comment on column cmbs.approval_latency.median_seconds is 'half of the answers took no longer';
comment on column cmbs.approval_latency.p95_seconds is 'nineteen of twenty answers took no longer';

revoke all on cmbs.approval_latency from public;
grant select on cmbs.approval_latency to cmbs_auditor, cmbs_policy, cmbs_analyst;
