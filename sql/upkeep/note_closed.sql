-- cmbs_store.note_closed
--
-- Notes that permits or questions of a session are open no more.

create or replace function cmbs_store.note_closed(
    p_session_id uuid,
    p_kind text,
    p_ids uuid[]
)
returns void
language sql
volatile
as $$
    update cmbs_store.open_item as o
    set is_open = false
    where o.session_id = p_session_id and o.kind = p_kind and o.item_id = any(p_ids) and o.is_open
$$;
