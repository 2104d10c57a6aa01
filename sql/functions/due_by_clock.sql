-- cmbs_store.due_by_clock
--
-- The sessions in which something is due because of what the clock did: those whose time is ahead
-- of it, by their own time; and, while it is behind what it has shown before, those in which nobody
-- has found that yet and something was granted.
--
-- p_tenant   whose sessions, `*` for all

create or replace function cmbs_store.due_by_clock(
    p_tenant text,
    p_now timestamptz,
    p_limit integer
)
returns setof uuid
language sql
stable
as $$
    select s.session_id
    from cmbs_store.clock_step as c
    inner join cmbs_store.session as s on s.session_id = c.session_id
    where not s.is_terminated
        and s.audit_head_at > p_now + interval '5 seconds'
        and (p_tenant = '*' or s.tenant = p_tenant)
        and exists (
            select
            from cmbs_store.open_item as o
            where o.session_id = s.session_id
                and o.kind in ('permit', 'deferral')
                and o.is_open
                and o.due_at <= p_now + c.lead_us * interval '1 microsecond'
        )
        and not exists (
            select
            from cmbs_store.clock_step as n
            where n.session_id = c.session_id and n.seq > c.seq
        )
    union
    (
        select s.session_id
        from cmbs_store.session as s
        cross join lateral (
            select max(c.lead_us) as lead_us
            from cmbs_store.clock_step as c
            where c.session_id = s.session_id and not exists (
                select
                from cmbs_store.clock_step as n
                where n.session_id = c.session_id and n.seq > c.seq
            )
        ) as l
        where exists (
                select
                from cmbs_store.clock_mark as m
                where m.behind_until > p_now + interval '5 seconds'
            )
            and s.audit_head_at > p_now + interval '5 seconds'
            + coalesce(l.lead_us, 0) * interval '1 microsecond'
            and (p_tenant = '*' or s.tenant = p_tenant)
            and cmbs_store.has_granted(s)
        limit p_limit
    )
    limit p_limit
$$;

comment on function cmbs_store.due_by_clock(text, timestamptz, integer) is
'The sessions in which something is due because of what the clock did.';

revoke all on function cmbs_store.due_by_clock(text, timestamptz, integer) from public;
