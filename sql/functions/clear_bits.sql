-- cmbs_store.clear_bits
--
-- Clears the bits of the given ranks and says which of them were set: the survivors among the ids
-- asked for. Works on one chunk of 1 KiB at a time, because setting a bit copies what it is set
-- in.
--
-- p_ids, p_ranks  hypotheses and their ranks, both ascending

create or replace function cmbs_store.clear_bits(
    p_mask bytea,
    p_ids text[],
    p_ranks integer[],
    out p_cleared_mask bytea,
    out p_cleared_ids text[],
    out p_cleared_ranks integer[]
)
language plpgsql
immutable
as $$
declare
    v_chunk bytea := substr(p_mask, 1, 1024);
    v_chunk_no integer := 0;
    v_rank integer;
    v_i integer := 0;
    v_n integer := 0;
begin
    p_cleared_ids := '{}';
    foreach v_rank in array coalesce(p_ranks, '{}') loop
        v_i := v_i + 1;
        if v_rank / 8192 <> v_chunk_no then
            p_mask := overlay(p_mask placing v_chunk from v_chunk_no * 1024 + 1);
            v_chunk_no := v_rank / 8192;
            v_chunk := substr(p_mask, v_chunk_no * 1024 + 1, 1024);
        end if;
        if get_bit(v_chunk, v_rank % 8192) = 1 then
            v_chunk := set_bit(v_chunk, v_rank % 8192, 0);
            v_n := v_n + 1;
            p_cleared_ids[v_n] := p_ids[v_i];
            p_cleared_ranks[v_n] := v_rank;
        end if;
    end loop;
    p_cleared_mask := overlay(p_mask placing v_chunk from v_chunk_no * 1024 + 1);
end
$$;

comment on function cmbs_store.clear_bits(bytea, text[], integer[]) is
'Clear the bits of the given ranks; say which were set.';

revoke all on function cmbs_store.clear_bits(bytea, text[], integer[]) from public;
