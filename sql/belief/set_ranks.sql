-- cmbs_store.set_ranks
--
-- A mask with the bits of the given ranks set. Byte by byte into a new one: setting bit after bit
-- copies the mask each time, which takes time that is quadratic in the universe.

create or replace function cmbs_store.set_ranks(
    p_mask bytea,
    p_ranks integer[]
)
returns bytea
language sql
immutable
as $$
    select decode(string_agg(lpad(to_hex(w.bits), 2, '0'), '' order by w.byte_no), 'hex')
    from (
        select b.byte_no, bit_or(b.bits) as bits
        from (
            select g.byte_no, get_byte(p_mask, g.byte_no) as bits
            from generate_series(0, octet_length(p_mask) - 1) as g (byte_no)
            union all
            select r.hypothesis_rank / 8, 1 << r.hypothesis_rank % 8
            from unnest(p_ranks) as r (hypothesis_rank)
        ) as b
        group by b.byte_no
    ) as w
$$;
