-- cmbs_store.inbox_cursor
--
-- Where a page of the inbox begins: after the question that a cursor names; nulls without one.
--
-- Raises     MB201 INVALID_REQUEST.

create or replace function cmbs_store.inbox_cursor(
    p_cursor text,
    out p_due_at timestamptz,
    out p_session_id uuid,
    out p_item_id uuid
)
returns record
language plpgsql
stable
as $$
begin
    if p_cursor !~ (
        '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{6}Z'
        '_[0-9a-f-]{36}_[0-9a-f-]{36}$'
    ) then
        perform cmbs_store.refuse_request('cursor', 'must be a next_cursor of an earlier answer');
    end if;
    p_due_at := replace(split_part(p_cursor, '_', 1), 'Z', '+00')::timestamptz;
    p_session_id := split_part(p_cursor, '_', 2)::uuid;
    p_item_id := split_part(p_cursor, '_', 3)::uuid;
end
$$;

comment on function cmbs_store.inbox_cursor(text) is
'Where a page of the inbox begins. Raises MB201.';

revoke all on function cmbs_store.inbox_cursor(text) from public;
