-- cmbs_store.entropy
--
-- log2 of the number of survivors; 0 for none or one. As numeric, because the digits in which a
-- double is printed are a setting of the caller.

create or replace function cmbs_store.entropy(
    p_n integer
)
returns numeric
language sql
immutable
as $$
    select case
        when p_n > 1 then (ln(p_n::double precision) / ln(2::double precision))::numeric
        else 0
    end
$$;
