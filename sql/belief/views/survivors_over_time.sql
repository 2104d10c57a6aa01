-- cmbs.survivors_over_time
--
-- The belief after each event: what a chart of a session shows.
-- Counted by tombstones, because reading every record as JSON takes longer than all the rest.

create or replace view cmbs.survivors_over_time with (security_barrier) as
select
    c.session_id,
    c.seq,
    c.ts,
    c.n_eliminated,
    c.n_survivors,
    case
        when c.n_survivors > 1 then ln(c.n_survivors::double precision) / ln(2::double precision)
        else 0
    end as entropy_proxy
from (
    select
        e.session_id,
        e.seq,
        e.recorded_at as ts,
        coalesce(d.n_eliminated, 0)::integer as n_eliminated,
        s.n_hypotheses - sum(coalesce(d.n_eliminated, 0)::integer)
            over (partition by e.session_id order by e.seq) as n_survivors
    from cmbs_store.audit_event as e
    inner join cmbs_store.session as s on s.session_id = e.session_id
    left join (
        select
            t.session_id,
            t.seq,
            count(*) as n_eliminated
        from cmbs_store.tombstone as t
        group by t.session_id, t.seq
    ) as d on d.session_id = e.session_id and d.seq = e.seq
    where (select cmbs.tenant()) = '*' or s.tenant = (select cmbs.tenant())
) as c;

comment on view cmbs.survivors_over_time is
'Number of survivors after each event.';
comment on column cmbs.survivors_over_time.session_id is 'the session';
comment on column cmbs.survivors_over_time.seq is
'number of the event in the log of its session, from 1 without gaps';
comment on column cmbs.survivors_over_time.ts is 'when';
comment on column cmbs.survivors_over_time.n_eliminated is 'hypotheses this event eliminated';
comment on column cmbs.survivors_over_time.n_survivors is 'survivors after it';
comment on column cmbs.survivors_over_time.entropy_proxy is
'log2 of n_survivors; 0 for none or one';

revoke all on cmbs.survivors_over_time from public;
grant select on cmbs.survivors_over_time to cmbs_auditor, cmbs_policy, cmbs_analyst;
