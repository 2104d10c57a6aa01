-- cmbs_store.is_obligation_changed
--
-- Whether an obligation was entered or left after one event, up to another. One is active at a
-- time, so only the last that was entered before can have been left without another being entered.

create or replace function cmbs_store.is_obligation_changed(
    p_session_id uuid,
    p_after bigint,
    p_until bigint
)
returns boolean
language sql
stable
as $$
    select exists (
        select
        from cmbs_store.obligation as o
        where o.session_id = p_session_id and o.entered_seq > p_after and o.entered_seq <= p_until
    ) or exists (
        select
        from (
            select o.entered_seq
            from cmbs_store.obligation as o
            where o.session_id = p_session_id and o.entered_seq <= p_after
            order by o.entered_seq desc
            limit 1
        ) as l
        inner join cmbs_store.obligation_end as d
            on d.session_id = p_session_id
                and d.entered_seq = l.entered_seq
                and d.ended_seq > p_after
                and d.ended_seq <= p_until
    )
$$;
