-- cmbs_store.save_chunks
--
-- Writes back the chunks of a mask that hold any of the given ranks, and no others: the bytes
-- written per message do not grow with the universe.
--
-- Locks      nothing: the caller holds the session row.

create or replace function cmbs_store.save_chunks(
    p_session_id uuid,
    p_mask bytea,
    p_ranks integer[]
)
returns void
language plpgsql
volatile
as $$
begin
    update cmbs_store.session_mask as k
    set chunk = substr(p_mask, k.chunk_no * 1024 + 1, 1024)
    where k.session_id = p_session_id
        and k.chunk_no in (select distinct r.rank / 8192 from unnest(p_ranks) as r (rank));
end
$$;

comment on function cmbs_store.save_chunks(uuid, bytea, integer[]) is
'Write back the chunks of a mask that hold any of the given ranks.';

revoke all on function cmbs_store.save_chunks(uuid, bytea, integer[]) from public;
