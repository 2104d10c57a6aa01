-- cmbs_store.inbox_entry
--
-- A question of the inbox as it is shown; null if it has another status.

create or replace function cmbs_store.inbox_entry(
    p_item cmbs_store.open_item,
    p_status text
)
returns text
language sql
volatile
as $$
    select cmbs_store.interrupt_json(s, i, t.at)::text
    from cmbs_store.session as s
    inner join cmbs_store.interrupt as i on i.session_id = s.session_id
    cross join lateral cmbs_store.reading_time(s) as t (at)
    where s.session_id = p_item.session_id
        and i.interrupt_id = p_item.item_id
        and cmbs_store.interrupt_state(s, i, t.at) = p_status
$$;
