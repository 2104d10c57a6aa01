-- cmbs_store.inbox_items
--
-- Questions of the inbox after one of them, in order, a chunk at a time. Each case has an index of
-- its own, and but one of them is looked at.
--
-- p_tenant   whose questions, `*` for all

create or replace function cmbs_store.inbox_items(
    p_tenant text,
    p_is_pending boolean,
    p_after cmbs_store.open_item,
    p_limit integer
)
returns setof cmbs_store.open_item
language sql
stable
as $$
    (
        select o.*
        from cmbs_store.open_item as o
        where p_is_pending and p_tenant = '*'
            and o.kind = 'interrupt' and o.is_open
            and (o.due_at, o.session_id, o.item_id)
            > (p_after.due_at, p_after.session_id, p_after.item_id)
        order by o.due_at, o.session_id, o.item_id
        limit p_limit
    )
    union all
    (
        select o.*
        from cmbs_store.open_item as o
        where p_is_pending and p_tenant <> '*'
            and o.tenant = p_tenant and o.kind = 'interrupt' and o.is_open
            and (o.due_at, o.session_id, o.item_id)
            > (p_after.due_at, p_after.session_id, p_after.item_id)
        order by o.due_at, o.session_id, o.item_id
        limit p_limit
    )
    union all
    (
        select o.*
        from cmbs_store.open_item as o
        where not p_is_pending
            and o.kind = 'interrupt' and (o.tenant = p_tenant or p_tenant = '*')
            and (o.due_at, o.session_id, o.item_id)
            > (p_after.due_at, p_after.session_id, p_after.item_id)
        order by o.due_at, o.session_id, o.item_id
        limit p_limit
    )
$$;
