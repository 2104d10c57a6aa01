-- cmbs_store.is_id
--
-- Ids are opaque: any text of 1 to p_max_bytes bytes. (No text of PostgreSQL holds a NUL or a
-- surrogate.)

create or replace function cmbs_store.is_id(
    p_id text,
    p_max_bytes integer
)
returns boolean
language sql
immutable
as $$ select p_id is not null and octet_length(p_id) between 1 and p_max_bytes $$;
