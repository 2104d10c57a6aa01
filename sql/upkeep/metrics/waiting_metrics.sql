-- cmbs_store.waiting_metrics
--
-- How many questions wait for people and how long the oldest has, how many permits may be used or
-- are in use, how many proposals are deferred, and for how long something due has waited for
-- upkeep. What has run out counts as open no more, swept or not.

create or replace function cmbs_store.waiting_metrics(
    p_now timestamptz
)
returns json
language sql
stable
as $$
    with granted as (
        select o.kind, g.at
        from cmbs_store.open_item as o
        inner join cmbs_store.session as s on s.session_id = o.session_id
        cross join (select cmbs_store.clock_steps() as n) as k
        cross join lateral (
            select p.seq, null::timestamptz as at
            from cmbs_store.permit as p
            where o.kind = 'permit' and p.session_id = o.session_id and p.permit_id = o.item_id
            union all
            select i.seq, e.recorded_at
            from cmbs_store.interrupt as i
            inner join cmbs_store.audit_event as e
                on e.session_id = i.session_id and e.seq = i.seq
            where o.kind = 'interrupt'
                and i.session_id = o.session_id
                and i.interrupt_id = o.item_id
                -- Only where the policy was changed, as each call is planned anew.
                and (
                    not exists (
                        select
                        from cmbs_store.policy_pin as n
                        where n.session_id = i.session_id and n.seq > i.seq
                    )
                    or not cmbs_store.is_superseded(s, i)
                )
        ) as g
        where o.kind in ('permit', 'interrupt') and o.is_open and o.due_at > p_now
            and case
                -- Where the clock was never wrong.
                when s.n_clock_steps = k.n
                    and s.audit_head_at <= p_now + interval '5 seconds'
                    and not exists (
                        select from cmbs_store.clock_step as c where c.session_id = s.session_id
                    )
                    then true
                else
                    o.due_at > cmbs_store.reading_time(s)
                    and not cmbs_store.clock_was_set_back(s, g.seq)
            end
    )
    select json_build_object(
        'n_questions', count(*) filter (where g.kind = 'interrupt'),
        'question_seconds', greatest(extract(epoch from p_now - coalesce(min(g.at), p_now)), 0),
        'n_issued', count(*) filter (where g.kind = 'permit'),
        'n_executing', (
            select count(*)
            from cmbs_store.permit_begin as b
            left join cmbs_store.permit_end as d
                on d.session_id = b.session_id and d.permit_id = b.permit_id
            where d.permit_id is null
        ),
        'executing_seconds', (
            select greatest(extract(epoch from p_now - coalesce(min(e.recorded_at), p_now)), 0)
            from cmbs_store.permit_begin as b
            inner join cmbs_store.audit_event as e
                on e.session_id = b.session_id and e.seq = b.seq
            where not exists (
                select
                from cmbs_store.permit_end as d
                where d.session_id = b.session_id and d.permit_id = b.permit_id
            )
        ),
        'n_deferred', (
            select count(*) from cmbs_store.open_item as o where o.kind = 'deferral' and o.is_open
        ),
        'due_seconds', (
            select greatest(extract(epoch from p_now - coalesce(min(o.due_at), p_now)), 0)
            from cmbs_store.open_item as o
            where o.kind in ('permit', 'deferral') and o.is_open and o.due_at <= p_now
        )
    )
    from granted as g
$$;
