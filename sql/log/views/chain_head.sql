-- cmbs.chain_head
--
-- The last event of each log: what to write down elsewhere to notice a cut log.

create or replace view cmbs.chain_head with (security_barrier) as
select
    s.session_id,
    s.audit_seq,
    s.audit_head_event_id,
    encode(s.audit_head_hash, 'hex') as audit_head_hash,
    s.audit_head_at
from cmbs_store.session as s
where (select cmbs.tenant()) = '*' or s.tenant = (select cmbs.tenant());

comment on view cmbs.chain_head is
'The last event of every log.';
comment on column cmbs.chain_head.session_id is 'the session';
comment on column cmbs.chain_head.audit_seq is 'number of events in the log';
comment on column cmbs.chain_head.audit_head_event_id is 'the last event';
comment on column cmbs.chain_head.audit_head_hash is 'its hash, hex';
comment on column cmbs.chain_head.audit_head_at is 'when it was recorded';

revoke all on cmbs.chain_head from public;
grant select on cmbs.chain_head to cmbs_auditor, cmbs_policy, cmbs_analyst;
