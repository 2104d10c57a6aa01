-- cmbs_store.entropy
--
-- log2 of the number of survivors; 0 for none or one.

create or replace function cmbs_store.entropy(
    p_n integer
)
returns double precision
language sql
immutable
as $$
    select case when p_n > 1 then ln(p_n::double precision) / ln(2::double precision) else 0 end
$$;

comment on function cmbs_store.entropy(integer) is
'log2 of the number of survivors; 0 for none or one.';

revoke all on function cmbs_store.entropy(integer) from public;
