-- cmbs_store.save_chunk
--
-- Writes one chunk of a mask back.
--
-- Locks      nothing: the caller holds the session row.

create or replace function cmbs_store.save_chunk(
    p_session_id uuid,
    p_chunk_no integer,
    p_chunk bytea
)
returns void
language plpgsql
volatile
as $$
begin
    update cmbs_store.session_mask as k
    set chunk = p_chunk
    where k.session_id = p_session_id and k.chunk_no = p_chunk_no;
end
$$;
