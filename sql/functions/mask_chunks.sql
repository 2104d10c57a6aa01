-- cmbs_store.mask_chunks
--
-- The mask of a session in pieces of 8,192 bits, whichever way it is stored.

create or replace function cmbs_store.mask_chunks(
    p_session cmbs_store.session
)
returns bytea[]
language plpgsql
stable
as $$
begin
    if p_session.mask is not null then
        return array[p_session.mask];
    end if;
    return array(
        select k.chunk
        from cmbs_store.session_mask as k
        where k.session_id = p_session.session_id
        order by k.chunk_no
    );
end
$$;

comment on function cmbs_store.mask_chunks(cmbs_store.session) is
'The mask of a session in pieces of 8,192 bits.';

revoke all on function cmbs_store.mask_chunks(cmbs_store.session) from public;
