-- cmbs.obligation
--
-- Every obligation that was entered, with its count.

create or replace view cmbs.obligation with (security_barrier) as
select
    o.session_id,
    o.obligation_id,
    coalesce(d.outcome, 'active') as state,
    o.min_total_eliminations,
    o.survivors_at_entry - coalesce(d.survivors_at_end, s.n_survivors) as counted,
    o.entered_seq,
    d.ended_seq,
    b.recorded_at as entered_at,
    f.recorded_at as ended_at
from cmbs_store.obligation as o
inner join cmbs_store.session as s on s.session_id = o.session_id
left join cmbs_store.obligation_end as d
    on d.session_id = o.session_id and d.entered_seq = o.entered_seq
-- Outer joins, so that they cost nothing where nobody asks for the times.
left join cmbs_store.audit_event as b
    on b.session_id = o.session_id and b.seq = o.entered_seq
left join cmbs_store.audit_event as f
    on f.session_id = o.session_id and f.seq = d.ended_seq
where (select cmbs.tenant()) = '*' or s.tenant = (select cmbs.tenant());

comment on view cmbs.obligation is
'Every obligation, active, exited or waived.';
comment on column cmbs.obligation.session_id is 'the session';
comment on column cmbs.obligation.obligation_id is 'the callers name for it';
comment on column cmbs.obligation.state is 'active, exited or waived';
comment on column cmbs.obligation.min_total_eliminations is
'how many eliminations since entry its exit needs';
comment on column cmbs.obligation.counted is 'hypotheses eliminated since entry';
comment on column cmbs.obligation.entered_seq is 'event that entered it';
comment on column cmbs.obligation.ended_seq is 'event that ended it, if any';
comment on column cmbs.obligation.entered_at is 'when it was entered';
comment on column cmbs.obligation.ended_at is 'when it ended; null while it is active';

revoke all on cmbs.obligation from public;
grant select on cmbs.obligation to cmbs_auditor, cmbs_policy, cmbs_analyst;
