-- cmbs.identity_event
--
-- The log of identities. Hash the record, not these columns.

create or replace view cmbs.identity_event with (security_barrier) as
select
    e.tenant,
    e.seq,
    e.recorded_at as ts,
    e.verb,
    e.actor,
    e.record::jsonb -> 'payload' as payload,
    encode(e.event_hash, 'hex') as event_hash,
    e.record
from cmbs_store.identity_event as e
where (select cmbs.tenant()) = '*' or e.tenant = (select cmbs.tenant());

comment on view cmbs.identity_event is
'The append-only, hash-chained log of every change of a principal or a token.';
comment on column cmbs.identity_event.tenant is 'whose log it is';
comment on column cmbs.identity_event.seq is
'number of the event in the log of its tenant, from 1 without gaps';
comment on column cmbs.identity_event.ts is 'when it was recorded';
comment on column cmbs.identity_event.verb is 'what was changed';
comment on column cmbs.identity_event.actor is 'the principal that changed it';
comment on column cmbs.identity_event.payload is 'what it was changed to';
comment on column cmbs.identity_event.event_hash is 'sha-256 of record, hex';
comment on column cmbs.identity_event.record is 'the exact text that event_hash hashes';

revoke all on cmbs.identity_event from public;
grant select on cmbs.identity_event to cmbs_auditor, cmbs_admin;
