-- cmbs.recorded_claim
--
-- Every claim that was recorded, with its evidence.

create or replace view cmbs.recorded_claim with (security_barrier) as
select
    c.session_id,
    c.seq,
    c.claim_id,
    e.recorded_at as ts,
    e.actor,
    c.key,
    c.kind,
    c.value,
    c.confidence,
    c.is_confirmed as confirmed,
    c.source_chunk_ids,
    c.confirmed_by_event_id,
    c.conflict_state,
    c.expires_at,
    c.review_at,
    c.promotes
from cmbs_store.claim as c
inner join cmbs_store.audit_event as e on e.session_id = c.session_id and e.seq = c.seq
where (
    (select cmbs.tenant()) = '*' or exists (
        select
        from cmbs_store.session as o
        where o.session_id = c.session_id and o.tenant = (select cmbs.tenant())
    )
);

comment on view cmbs.recorded_claim is
'Every claim that was recorded, with its evidence.';
comment on column cmbs.recorded_claim.session_id is 'the session';
comment on column cmbs.recorded_claim.seq is
'number of the event in the log of its session, from 1 without gaps';
comment on column cmbs.recorded_claim.claim_id is 'the claim';
comment on column cmbs.recorded_claim.ts is 'when';
comment on column cmbs.recorded_claim.actor is 'who claimed';
comment on column cmbs.recorded_claim.key is 'of what it is';
comment on column cmbs.recorded_claim.kind is 'fact, preference, decision, hypothesis or derived';
comment on column cmbs.recorded_claim.value is 'what is claimed';
comment on column cmbs.recorded_claim.confidence is 'from 0 to 1';
comment on column cmbs.recorded_claim.confirmed is 'whether its evidence confirmed it';
comment on column cmbs.recorded_claim.source_chunk_ids is 'the sources that it cites';
comment on column cmbs.recorded_claim.confirmed_by_event_id is
'the act of an approver that it cites';
comment on column cmbs.recorded_claim.conflict_state is 'whether something stands against it';
comment on column cmbs.recorded_claim.expires_at is 'when it stops counting';
comment on column cmbs.recorded_claim.review_at is 'when it stops counting if it is not confirmed';
comment on column cmbs.recorded_claim.promotes is 'the claim that it goes back to';

revoke all on cmbs.recorded_claim from public;
grant select on cmbs.recorded_claim to cmbs_auditor, cmbs_policy, cmbs_analyst;
