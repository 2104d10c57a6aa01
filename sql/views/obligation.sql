-- cmbs.obligation
--
-- Every obligation that was entered, with its count.

create or replace view cmbs.obligation as
select
    o.session_id,
    o.obligation_id,
    coalesce(d.outcome, 'active') as state,
    o.min_total_eliminations,
    o.survivors_at_entry - coalesce(d.survivors_at_end, s.n_survivors) as counted,
    o.entered_seq,
    d.ended_seq
from cmbs_store.obligation as o
inner join cmbs_store.session as s on s.session_id = o.session_id
left join cmbs_store.obligation_end as d
    on d.session_id = o.session_id and d.entered_seq = o.entered_seq;

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

revoke all on cmbs.obligation from public;
grant select on cmbs.obligation to cmbs_auditor, cmbs_policy;
