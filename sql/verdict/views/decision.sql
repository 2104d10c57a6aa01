-- cmbs.decision
--
-- What was decided on every proposal, and by which policy.

create or replace view cmbs.decision with (security_barrier) as
select
    e.session_id,
    e.seq,
    e.event_id,
    e.recorded_at as ts,
    e.actor,
    p.payload ->> 'decision' as decision,
    p.payload ->> 'disposition' as disposition,
    p.payload ->> 'reason_code' as reason_code,
    p.payload #>> '{policy,pack}' as pack,
    (p.payload #>> '{policy,version}')::integer as version,
    p.payload #>> '{policy,policy_hash}' as policy_hash,
    p.payload #>> '{proposal,idempotency_key}' as idempotency_key,
    (p.payload ->> 'token_id')::uuid as token_id,
    jsonb_array_length(p.payload -> 'items') as n_items,
    p.payload -> 'reads' as reads
from cmbs_store.audit_event as e
cross join lateral (select e.record::jsonb -> 'payload' as payload offset 0) as p
where e.verb = 'PROPOSE'
and (
    (select cmbs.tenant()) = '*' or exists (
        select
        from cmbs_store.session as o
        where o.session_id = e.session_id and o.tenant = (select cmbs.tenant())
    )
);

comment on view cmbs.decision is
'What was decided on every proposal, and by which policy.';
comment on column cmbs.decision.session_id is 'the session';
comment on column cmbs.decision.seq is
'number of the event in the log of its session, from 1 without gaps';
comment on column cmbs.decision.event_id is 'the event, which is the id of the proposal, too';
comment on column cmbs.decision.ts is 'when';
comment on column cmbs.decision.actor is 'who proposed';
comment on column cmbs.decision.decision is 'allow, deny or defer';
comment on column cmbs.decision.disposition is
'what follows: execute, block, ask, defer or degrade';
comment on column cmbs.decision.reason_code is 'the first stage that failed, or ALLOWED';
comment on column cmbs.decision.pack is 'the policy pack that decided';
comment on column cmbs.decision.version is 'its version';
comment on column cmbs.decision.policy_hash is 'the sha-256 of its content';
comment on column cmbs.decision.idempotency_key is 'the key of the proposal, null if it had none';
comment on column cmbs.decision.token_id is
'the capability token that was shown, null if none of the session';
comment on column cmbs.decision.n_items is 'how many items it had';
comment on column cmbs.decision.reads is 'the keys that were read, with the events that wrote them';

revoke all on cmbs.decision from public;
grant select on cmbs.decision to cmbs_auditor, cmbs_policy, cmbs_analyst;
