-- cmbs_store.is_mask
--
-- Whether the mask of a session is stored as it must be: in the session row up to 8,192
-- hypotheses, above that in chunks, and nowhere else.

create or replace function cmbs_store.is_mask(
    p_session cmbs_store.session,
    p_mask bytea
)
returns boolean
language plpgsql
stable
as $$
begin
    if p_session.n_hypotheses <= 8192 then
        return p_session.mask is not distinct from p_mask and not exists (
            select from cmbs_store.session_mask as k where k.session_id = p_session.session_id
        );
    end if;
    return p_session.mask is null and not exists (
        select
        from (
            select k.chunk_no, k.chunk
            from cmbs_store.session_mask as k
            where k.session_id = p_session.session_id
        ) as stored
        full join (
            select g.chunk_no, substr(p_mask, g.chunk_no * 1024 + 1, 1024) as chunk
            from generate_series(0, (p_session.n_hypotheses - 1) / 8192) as g (chunk_no)
        ) as wanted on wanted.chunk_no = stored.chunk_no
        where stored.chunk is distinct from wanted.chunk
    );
end
$$;
