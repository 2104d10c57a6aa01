-- cmbs_store.faults_in_open_items
--
-- The events of permits, questions and deferrals that are noted as open and are not, or otherwise
-- than they are; the last event for what is noted and is none of them.

create or replace function cmbs_store.faults_in_open_items(
    p_session cmbs_store.session
)
returns setof bigint
language sql
stable
as $$
    select coalesce(e.seq, p_session.audit_seq)
    from (
        select
            'permit' as kind, p.permit_id as item_id, p.seq, p.expires_at as due_at,
            not exists (
                select
                from cmbs_store.permit_begin as b
                where b.session_id = p.session_id and b.permit_id = p.permit_id
            ) and not exists (
                select
                from cmbs_store.permit_end as d
                where d.session_id = p.session_id and d.permit_id = p.permit_id
            ) as is_open
        from cmbs_store.permit as p
        where p.session_id = p_session.session_id
        union all
        select
            'interrupt', i.interrupt_id, i.seq, i.expires_at,
            not exists (
                select
                from cmbs_store.interrupt_resolution as r
                where r.session_id = i.session_id and r.interrupt_id = i.interrupt_id
            )
        from cmbs_store.interrupt as i
        where i.session_id = p_session.session_id
        union all
        select
            'deferral', d.deferral_id, max(d.seq),
            (array_agg(d.next_at order by d.seq desc) filter (where d.next_at is not null))[1],
            (array_agg(d.next_at order by d.seq desc))[1] is not null
        from cmbs_store.deferral as d
        where d.session_id = p_session.session_id
        group by d.deferral_id
    ) as e
    full join (
        select o.*
        from cmbs_store.open_item as o
        where o.session_id = p_session.session_id
    ) as n on n.kind = e.kind and n.item_id = e.item_id
    where (n.tenant, n.due_at, n.is_open) is distinct from (
        p_session.tenant, e.due_at, e.is_open and not p_session.is_terminated
    )
$$;
