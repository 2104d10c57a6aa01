-- cmbs_store.save_batch
--
-- Saves a locked session after a batch, and what the batch eliminated.
--
-- p_session  the session after the batch
-- p_mask     its mask; if it is stored in chunks, those in which a bit was cleared are written;
--            null if no message named an id
-- p_ids, p_ranks, p_seqs  ids, their ranks and the events that eliminate them, null if none does
-- Locks      nothing: the caller holds the session row.

create or replace function cmbs_store.save_batch(
    p_session cmbs_store.session,
    p_mask bytea,
    p_ids text[],
    p_ranks integer[],
    p_seqs bigint[]
)
returns void
language plpgsql
volatile
as $$
declare
    v_chunk_no integer;
begin
    if p_session.mask is null then
        for v_chunk_no in
            select distinct i.hypothesis_rank / 8192
            from unnest(p_ranks, p_seqs) as i (hypothesis_rank, seq)
            where i.seq is not null
        loop
            perform cmbs_store.save_chunk(
                p_session.session_id, v_chunk_no,
                substring(p_mask from v_chunk_no * 1024 + 1 for 1024)
            );
        end loop;
    end if;
    insert into cmbs_store.tombstone (session_id, seq, hypothesis_id)
    select p_session.session_id, i.seq, i.hypothesis_id
    from unnest(p_ids, p_seqs) as i (hypothesis_id, seq)
    where i.seq is not null;
    if p_session.is_mirrored then
        perform cmbs_store.note_mirrored(p_session, i.seq)
        from (select distinct u.seq from unnest(p_seqs) as u (seq)) as i
        where i.seq is not null;
    end if;
    if p_session.mask is not null then
        p_session.mask := coalesce(p_mask, p_session.mask);
    end if;
    perform cmbs_store.save_session(p_session);
end
$$;
