-- cmbs.gate_decision
--
-- Every decision of a gate: exits, waivers, conclusions, terminations.

create or replace view cmbs.gate_decision with (security_barrier) as
select
    e.session_id,
    e.seq,
    e.event_id,
    e.recorded_at as ts,
    e.verb,
    e.actor,
    coalesce(p.payload ->> 'obligation_id', p.payload ->> 'conclusion_id') as subject_id,
    coalesce(p.payload -> 'approved', p.payload -> 'accepted')::boolean as approved,
    p.payload ->> 'reason' as reason
from cmbs_store.audit_event as e
cross join lateral (select e.record::jsonb -> 'payload' as payload) as p
where e.verb in (
    'REQUEST_EXIT', 'WAIVE_OBLIGATION', 'DECLARE_CONCLUSION', 'REQUEST_TERMINATION'
)
and (
    (select cmbs.tenant()) = '*' or exists (
        select
        from cmbs_store.session as o
        where o.session_id = e.session_id and o.tenant = (select cmbs.tenant())
    )
);

comment on view cmbs.gate_decision is
'Every decision that a gate took, with its reason.';
comment on column cmbs.gate_decision.session_id is 'the session';
comment on column cmbs.gate_decision.seq is
'number of the event in the log of its session, from 1 without gaps';
comment on column cmbs.gate_decision.event_id is 'the event';
comment on column cmbs.gate_decision.ts is 'when';
comment on column cmbs.gate_decision.verb is 'what was asked';
comment on column cmbs.gate_decision.actor is 'who asked';
comment on column cmbs.gate_decision.subject_id is
'the obligation or conclusion; null for a termination';
comment on column cmbs.gate_decision.approved is 'the decision';
comment on column cmbs.gate_decision.reason is 'why';

revoke all on cmbs.gate_decision from public;
grant select on cmbs.gate_decision to cmbs_auditor, cmbs_policy, cmbs_analyst;
