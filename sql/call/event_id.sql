-- cmbs_store.event_id
--
-- The id of an event: a random uuid whose low 48 bits are replaced by the seq.

create or replace function cmbs_store.event_id(
    p_random uuid,
    p_seq bigint
)
returns uuid
language sql
immutable
as $$ select (left(p_random::text, 24) || lpad(to_hex(p_seq), 12, '0'))::uuid $$;
