-- cmbs_store.due_by_clock
--
-- The sessions in which something is due because of the clock: those whose time is ahead of it and
-- where something is due by that time; and, where it was set back, those that granted something
-- before and have not found it yet.
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
    (
        select distinct o.session_id
        from cmbs_store.open_item as o
        cross join lateral (
            select c.lead_us * interval '1 microsecond' as lead
            from cmbs_store.clock_step as c
            where c.session_id = o.session_id
            order by c.seq desc
            limit 1
        ) as c
        where exists (select from cmbs_store.clock_step as s where s.lead_us > 0)
            and o.kind in ('permit', 'deferral')
            and o.is_open
            and o.due_at > p_now
            and o.due_at <= p_now + c.lead
            and (p_tenant = '*' or o.tenant = p_tenant)
        limit p_limit
    )
    union
    (
        select s.session_id
        from cmbs_store.session as s
        where exists (
                select from cmbs_store.clock_mark as m where m.n_found < m.n_steps
            )
            and s.n_clock_steps <> (select m.n_steps from cmbs_store.clock_mark as m)
            and (p_tenant = '*' or s.tenant = p_tenant)
            and cmbs_store.has_granted(s)
        limit p_limit
    )
$$;
