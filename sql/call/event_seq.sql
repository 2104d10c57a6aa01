-- cmbs_store.event_seq
--
-- The seq that an event id carries in its low 48 bits.

create or replace function cmbs_store.event_seq(
    p_event_id uuid
)
returns bigint
language sql
immutable
as $$ select ('x' || right(p_event_id::text, 12))::bit(48)::bigint $$;
