-- cmbs.elimination
--
-- What eliminated each hypothesis that is gone.

create or replace view cmbs.elimination with (security_barrier) as
select
    t.session_id,
    t.hypothesis_id,
    e.event_id,
    t.seq,
    e.recorded_at as ts,
    e.source_id,
    e.observation_id,
    e.actor
from cmbs_store.tombstone as t
inner join cmbs_store.audit_event as e on e.session_id = t.session_id and e.seq = t.seq
where (select cmbs.tenant()) = '*' or exists (
    select
    from cmbs_store.session as o
    where o.session_id = t.session_id and o.tenant = (select cmbs.tenant())
);

comment on view cmbs.elimination is
'Every eliminated hypothesis with the event that eliminated it.';
comment on column cmbs.elimination.session_id is 'the session';
comment on column cmbs.elimination.hypothesis_id is 'the hypothesis that is gone';
comment on column cmbs.elimination.event_id is 'the event that eliminated it';
comment on column cmbs.elimination.seq is
'number of the event in the log of its session, from 1 without gaps';
comment on column cmbs.elimination.ts is 'when';
comment on column cmbs.elimination.source_id is 'who observed';
comment on column cmbs.elimination.observation_id is 'what was observed';
comment on column cmbs.elimination.actor is 'the principal that sent the message';

revoke all on cmbs.elimination from public;
grant select on cmbs.elimination to cmbs_auditor, cmbs_policy, cmbs_analyst;
