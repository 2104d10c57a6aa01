-- cmbs.session_mode
--
-- Every mode that a session was set to.

create or replace view cmbs.session_mode with (security_barrier) as
select
    m.session_id,
    m.seq,
    e.recorded_at as ts,
    e.actor,
    m.mode,
    e.record::json #>> '{payload,reason}' as reason,
    m.seq = max(m.seq) over (partition by m.session_id) as is_in_force
from cmbs_store.session_mode as m
inner join cmbs_store.audit_event as e on e.session_id = m.session_id and e.seq = m.seq
where (
    (select cmbs.tenant()) = '*' or exists (
        select
        from cmbs_store.session as o
        where o.session_id = m.session_id and o.tenant = (select cmbs.tenant())
    )
);

comment on view cmbs.session_mode is
'Every mode that a session was set to, and why.';
comment on column cmbs.session_mode.session_id is 'the session';
comment on column cmbs.session_mode.seq is
'number of the event in the log of its session, from 1 without gaps';
comment on column cmbs.session_mode.ts is 'when';
comment on column cmbs.session_mode.actor is 'who set it';
comment on column cmbs.session_mode.mode is 'boost, normal, eco, thermal or offline_safe';
comment on column cmbs.session_mode.reason is 'why';
comment on column cmbs.session_mode.is_in_force is 'whether it is the last one';

revoke all on cmbs.session_mode from public;
grant select on cmbs.session_mode to cmbs_auditor, cmbs_policy, cmbs_analyst;
