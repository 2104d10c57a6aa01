-- cmbs.interrupt
--
-- Every question that people were asked about an action, and what has become of it.

create or replace view cmbs.interrupt with (security_barrier) as
select
    i.session_id,
    i.interrupt_id,
    i.seq,
    i.item_no,
    e.recorded_at as ts,
    e.actor,
    e.action ->> 'tool_id' as tool_id,
    e.action,
    encode(i.action_digest, 'hex') as action_digest,
    i.constraint_keys,
    case
        when u.seq is not null then 'consumed'
        when r.resolution = 'decline' then 'declined'
        when r.resolution = 'cancel' then 'cancelled'
        when s.is_terminated then 'ended'
        when w.is_superseded then 'superseded'
        when c.seq > i.seq or i.expires_at <= t.now then 'expired'
        when r.resolution = 'approve' then 'approved'
        else 'pending'
    end as status,
    i.expires_at,
    r.resolution,
    r.actor as resolved_by,
    x.recorded_at as resolved_at,
    x.record::json #>> '{payload,comment}' as comment,
    u.seq as consumed_seq
from cmbs_store.interrupt as i
inner join cmbs_store.session as s on s.session_id = i.session_id
cross join lateral (
    select
        a.recorded_at, a.actor,
        a.record::jsonb #> array['payload', 'proposal', 'items', (i.item_no - 1)::text] as action
    from cmbs_store.audit_event as a
    where a.session_id = i.session_id and a.seq = i.seq
    offset 0
) as e
left join cmbs_store.interrupt_resolution as r
    on r.session_id = i.session_id and r.interrupt_id = i.interrupt_id
left join cmbs_store.audit_event as x on x.session_id = r.session_id and x.seq = r.seq
left join cmbs_store.interrupt_use as u
    on u.session_id = i.session_id and u.interrupt_id = i.interrupt_id
-- As cmbs_store.is_superseded says it.
cross join lateral (
    select exists (
        select
        from cmbs_store.policy_pin as p
        cross join lateral unnest(i.constraint_keys) as k (key)
        left join cmbs_store.policy_entry as n
            on n.policy_hash = p.policy_hash and n.key = k.key
        where p.session_id = i.session_id
            and p.seq > i.seq
            and n.value_hash is distinct from (
                select o.value_hash
                from cmbs_store.policy_pin as f
                inner join cmbs_store.policy_entry as o
                    on o.policy_hash = f.policy_hash and o.key = k.key
                where f.session_id = i.session_id and f.seq < i.seq
                order by f.seq desc
                limit 1
            )
    ) as is_superseded
) as w
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

comment on view cmbs.interrupt is
'Every question that people were asked about an action, and what has become of it.';
comment on column cmbs.interrupt.session_id is 'the session';
comment on column cmbs.interrupt.interrupt_id is 'the question';
comment on column cmbs.interrupt.seq is 'number of the event of the proposal that opened it';
comment on column cmbs.interrupt.item_no is 'the item of the proposal, from 1';
comment on column cmbs.interrupt.ts is 'when it was asked';
comment on column cmbs.interrupt.actor is 'who proposed the action';
comment on column cmbs.interrupt.tool_id is 'the tool of a call';
comment on column cmbs.interrupt.action is 'the item exactly as it was proposed';
comment on column cmbs.interrupt.action_digest is
'the sha-256 of the action with the policy and state that it was asked in';
comment on column cmbs.interrupt.constraint_keys is 'the constraints that an approval waives';
comment on column cmbs.interrupt.status is
'pending, approved, declined, cancelled, consumed, superseded, expired or ended';
comment on column cmbs.interrupt.expires_at is
'until when it may be answered, and an approval be used';
comment on column cmbs.interrupt.resolution is 'approve, decline or cancel';
comment on column cmbs.interrupt.resolved_by is 'who answered';
comment on column cmbs.interrupt.resolved_at is 'when it was answered';
comment on column cmbs.interrupt.comment is 'what was said with the answer';
comment on column cmbs.interrupt.consumed_seq is 'number of the event that used the approval';

revoke all on cmbs.interrupt from public;
grant select on cmbs.interrupt to cmbs_auditor, cmbs_policy, cmbs_analyst;
