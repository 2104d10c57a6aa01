-- cmbs_store.clear_bits
--
-- Clears the bits of the given ranks in a mask and says which of them were set: the survivors
-- among the ids asked for.
--
-- p_ids, p_ranks  hypotheses and their ranks

create or replace function cmbs_store.clear_bits(
    p_mask bytea,
    p_ids text[],
    p_ranks integer[],
    out p_cleared_mask bytea,
    out p_cleared_ids text[]
)
language plpgsql
immutable
as $$
declare
    v_n integer := 0;
begin
    p_cleared_mask := p_mask;
    p_cleared_ids := '{}';
    for v_i in 1 .. coalesce(cardinality(p_ranks), 0) loop
        if get_bit(p_cleared_mask, p_ranks[v_i]) = 1 then
            p_cleared_mask := set_bit(p_cleared_mask, p_ranks[v_i], 0);
            v_n := v_n + 1;
            p_cleared_ids[v_n] := p_ids[v_i];
        end if;
    end loop;
end
$$;
