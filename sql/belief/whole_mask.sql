-- cmbs_store.whole_mask
--
-- The survivor mask of a session, whichever way it is stored.

create or replace function cmbs_store.whole_mask(
    p_session cmbs_store.session
)
returns bytea
language plpgsql
stable
as $$
begin
    if p_session.mask is not null then
        return p_session.mask;
    end if;
    return (
        select string_agg(c.chunk, ''::bytea)
        from (
            select k.chunk
            from cmbs_store.session_mask as k
            where k.session_id = p_session.session_id
            order by k.chunk_no
        ) as c
    );
end
$$;
