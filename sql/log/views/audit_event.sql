-- cmbs.audit_event
--
-- The log, with the members of each record as typed columns. Hash the record, not these columns.

create or replace view cmbs.audit_event with (security_barrier) as
select
    e.session_id,
    e.seq,
    e.event_id,
    e.recorded_at as ts,
    e.verb,
    e.actor,
    e.source_id,
    e.observation_id,
    e.request_id,
    e.record::jsonb -> 'payload' as payload,
    e.record::jsonb -> 'delta' -> 'eliminated' as eliminated,
    e.record::jsonb ->> 'notes' as notes,
    e.record::jsonb ->> 'survivors_before_hash' as survivors_before_hash,
    e.record::jsonb ->> 'survivors_after_hash' as survivors_after_hash,
    e.record::jsonb ->> 'prev_event_hash' as prev_event_hash,
    encode(e.event_hash, 'hex') as event_hash,
    e.record
from cmbs_store.audit_event as e
where (select cmbs.tenant()) = '*' or exists (
    select
    from cmbs_store.session as o
    where o.session_id = e.session_id and o.tenant = (select cmbs.tenant())
);

comment on view cmbs.audit_event is
'The append-only, hash-chained log of every session.';
comment on column cmbs.audit_event.session_id is 'the session';
comment on column cmbs.audit_event.seq is
'number of the event in the log of its session, from 1 without gaps';
comment on column cmbs.audit_event.event_id is 'id of the event; its low 48 bits are the seq';
comment on column cmbs.audit_event.ts is
'when it was recorded; never earlier than the event before';
comment on column cmbs.audit_event.verb is 'what was asked';
comment on column cmbs.audit_event.actor is 'the principal that asked';
comment on column cmbs.audit_event.source_id is 'ELIMINATE: who observed';
comment on column cmbs.audit_event.observation_id is 'ELIMINATE: what was observed';
comment on column cmbs.audit_event.request_id is
'identity of other messages, if the caller gave one';
comment on column cmbs.audit_event.payload is
'the request and its outcome as recorded; a declare commits to its hypotheses by digest';
comment on column cmbs.audit_event.eliminated is 'what the event eliminated, sorted';
comment on column cmbs.audit_event.notes is 'the callers notes';
comment on column cmbs.audit_event.survivors_before_hash is 'survivors hash before the event, hex';
comment on column cmbs.audit_event.survivors_after_hash is 'survivors hash after the event, hex';
comment on column cmbs.audit_event.prev_event_hash is
'hash of the event before, hex; zeros for the first';
comment on column cmbs.audit_event.event_hash is 'sha-256 of record, hex';
comment on column cmbs.audit_event.record is 'the exact text that event_hash hashes';

revoke all on cmbs.audit_event from public;
grant select on cmbs.audit_event to cmbs_auditor, cmbs_policy, cmbs_analyst;
