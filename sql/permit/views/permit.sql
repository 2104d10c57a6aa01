-- cmbs.permit
--
-- Every permit: which call it lets execute, and what has become of it.

create or replace view cmbs.permit with (security_barrier) as
select
    p.session_id,
    p.permit_id,
    p.seq,
    p.item_no,
    e.recorded_at as ts,
    p.actor,
    p.tool_id,
    p.token_id,
    case
        when d.status is not null then d.status
        when b.seq is not null then 'executing'
        when s.is_terminated then 'ended'
        when c.seq > p.seq or p.expires_at <= t.now then 'expired'
        else 'issued'
    end as status,
    p.expires_at,
    x.recorded_at as begun_at,
    b.actor as begun_by,
    y.recorded_at as ended_at,
    encode(d.result_hash, 'hex') as result_hash
from cmbs_store.permit as p
inner join cmbs_store.session as s on s.session_id = p.session_id
inner join cmbs_store.audit_event as e on e.session_id = p.session_id and e.seq = p.seq
left join cmbs_store.permit_begin as b
    on b.session_id = p.session_id and b.permit_id = p.permit_id
left join cmbs_store.audit_event as x on x.session_id = b.session_id and x.seq = b.seq
left join cmbs_store.permit_end as d
    on d.session_id = p.session_id and d.permit_id = p.permit_id
left join cmbs_store.audit_event as y on y.session_id = d.session_id and y.seq = d.seq
left join lateral (
    select k.seq, k.lead_us * interval '1 microsecond' as lead
    from cmbs_store.clock_step as k
    where k.session_id = s.session_id
    order by k.seq desc
    limit 1
) as c on true
-- As cmbs_store.session_time says it.
cross join lateral (
    select case
        when s.n_clock_steps <> (select m.n_steps from cmbs_store.clock_mark as m)
            or h.behind - coalesce(c.lead, '0 seconds') > interval '5 seconds'
            or c.lead > interval '5 seconds' and h.behind <= interval '5 seconds'
            then 'infinity'
        else clock_timestamp() + coalesce(c.lead, '0 seconds')
    end as now
    from (select s.audit_head_at - clock_timestamp() as behind) as h
) as t
where (select cmbs.tenant()) = '*' or s.tenant = (select cmbs.tenant());

comment on view cmbs.permit is
'Every permit to execute an allowed call of a tool, and what has become of it.';
comment on column cmbs.permit.session_id is 'the session';
comment on column cmbs.permit.permit_id is 'the permit';
comment on column cmbs.permit.seq is
'number of the event in the log of its session, from 1 without gaps';
comment on column cmbs.permit.item_no is 'the item of the proposal, from 1';
comment on column cmbs.permit.ts is 'when it was given';
comment on column cmbs.permit.actor is 'who proposed the call';
comment on column cmbs.permit.tool_id is 'the tool';
comment on column cmbs.permit.token_id is 'the capability token whose budget it reserves';
comment on column cmbs.permit.status is
'issued, executing, committed, rolled_back, expired or ended with the session';
comment on column cmbs.permit.expires_at is 'until when its execution may begin';
comment on column cmbs.permit.begun_at is 'when its execution began';
comment on column cmbs.permit.begun_by is 'who began it';
comment on column cmbs.permit.ended_at is 'when it was completed, or released after it had run out';
comment on column cmbs.permit.result_hash is 'the sha-256 of the canonical text of the result';

revoke all on cmbs.permit from public;
grant select on cmbs.permit to cmbs_auditor, cmbs_policy, cmbs_analyst;
