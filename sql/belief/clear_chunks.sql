-- cmbs_store.clear_chunks
--
-- Clears the bits of the given ranks in the stored chunks of a mask and says which of them were
-- set. Only the chunks that change are written: the bytes written per message do not grow with the
-- universe.
--
-- p_ids, p_ranks  hypotheses and their ranks, both ascending
-- Locks           nothing: the caller holds the session row.

create or replace function cmbs_store.clear_chunks(
    p_session_id uuid,
    p_ids text[],
    p_ranks integer[],
    out p_cleared_ids text[]
)
language plpgsql
volatile
as $$
declare
    v_chunk bytea;
    v_chunk_no integer;
    v_is_changed boolean := false;
    v_n integer := 0;
begin
    p_cleared_ids := '{}';
    for v_i in 1 .. coalesce(cardinality(p_ranks), 0) loop
        if p_ranks[v_i] / 8192 is distinct from v_chunk_no then
            if v_is_changed then
                perform cmbs_store.save_chunk(p_session_id, v_chunk_no, v_chunk);
            end if;
            v_is_changed := false;
            v_chunk_no := p_ranks[v_i] / 8192;
            select k.chunk
            into strict v_chunk
            from cmbs_store.session_mask as k
            where k.session_id = p_session_id and k.chunk_no = v_chunk_no;
        end if;
        if get_bit(v_chunk, p_ranks[v_i] % 8192) = 1 then
            v_chunk := set_bit(v_chunk, p_ranks[v_i] % 8192, 0);
            v_is_changed := true;
            v_n := v_n + 1;
            p_cleared_ids[v_n] := p_ids[v_i];
        end if;
    end loop;
    if v_is_changed then
        perform cmbs_store.save_chunk(p_session_id, v_chunk_no, v_chunk);
    end if;
end
$$;
