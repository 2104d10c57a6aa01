-- cmbs_store.inbox_cursor
--
-- The question after which a page of the inbox begins; one before all without a cursor.
--
-- Raises     MB201 INVALID_REQUEST.

create or replace function cmbs_store.inbox_cursor(
    p_cursor text
)
returns cmbs_store.open_item
language plpgsql
stable
as $$
declare
    v_item cmbs_store.open_item;
begin
    if p_cursor !~ (
        '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{6}Z'
        '_[0-9a-f-]{36}_[0-9a-f-]{36}$'
    ) then
        perform cmbs_store.refuse_request('cursor', 'must be a next_cursor of an earlier answer');
    end if;
    v_item.due_at := coalesce(
        replace(split_part(p_cursor, '_', 1), 'Z', '+00')::timestamptz, '-infinity'
    );
    v_item.session_id := coalesce(
        split_part(p_cursor, '_', 2)::uuid, '00000000-0000-0000-0000-000000000000'
    );
    v_item.item_id := coalesce(
        split_part(p_cursor, '_', 3)::uuid, '00000000-0000-0000-0000-000000000000'
    );
    return v_item;
end
$$;
