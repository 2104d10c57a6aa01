-- cmbs_store.expired_permits
--
-- The permits of a session that ran out unused and still reserve something, in order, a thousand at
-- once.

create or replace function cmbs_store.expired_permits(
    p_session cmbs_store.session,
    p_at timestamptz
)
returns uuid[]
language sql
stable
as $$
    select array(
        select d.item_id
        from (
            select o.item_id
            from cmbs_store.open_item as o
            where o.session_id = p_session.session_id
                and o.kind = 'permit'
                and o.is_open
                and o.due_at <= p_at
            order by o.due_at
            limit 1000
        ) as d
        order by d.item_id
    )
$$;
