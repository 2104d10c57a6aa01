-- cmbs_store.note_ended
--
-- Notes that nothing is open in a session any more: it is terminated.

create or replace function cmbs_store.note_ended(
    p_session_id uuid
)
returns void
language sql
volatile
as $$
    update cmbs_store.open_item as o
    set is_open = false
    where o.session_id = p_session_id and o.is_open
$$;
