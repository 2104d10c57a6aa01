-- cmbs.conclusion
--
-- Every conclusion that was declared, accepted or not.

create or replace view cmbs.conclusion with (security_barrier) as
select
    c.session_id,
    c.seq,
    e.event_id,
    e.recorded_at as ts,
    e.actor,
    c.conclusion_id,
    c.is_accepted as accepted
from cmbs_store.conclusion as c
inner join cmbs_store.audit_event as e on e.session_id = c.session_id and e.seq = c.seq
where (select cmbs.tenant()) = '*' or exists (
    select
    from cmbs_store.session as o
    where o.session_id = c.session_id and o.tenant = (select cmbs.tenant())
);

comment on view cmbs.conclusion is
'Every declared conclusion.';
comment on column cmbs.conclusion.session_id is 'the session';
comment on column cmbs.conclusion.seq is
'number of the event in the log of its session, from 1 without gaps';
comment on column cmbs.conclusion.event_id is 'the event that declared it';
comment on column cmbs.conclusion.ts is 'when';
comment on column cmbs.conclusion.actor is 'who declared it';
comment on column cmbs.conclusion.conclusion_id is 'the conclusion';
comment on column cmbs.conclusion.accepted is 'whether no obligation blocked it';

revoke all on cmbs.conclusion from public;
grant select on cmbs.conclusion to cmbs_auditor, cmbs_policy, cmbs_analyst;
