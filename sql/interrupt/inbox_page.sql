-- cmbs_store.inbox_page
--
-- A page of the inbox, and where the next one begins.
--
-- p_last   the last question of it, null if no page follows

create or replace function cmbs_store.inbox_page(
    p_shown text[],
    p_last cmbs_store.open_item
)
returns json
language sql
stable
as $$
    select format(
        '{"interrupts": [%s], "next_cursor": %s}',
        array_to_string(p_shown, ', '),
        coalesce(to_json(
            cmbs_store.timestamp_v1(p_last.due_at) || '_' || p_last.session_id || '_'
            || p_last.item_id
        )::text, 'null')
    )::json
$$;
