-- cmbs_store.microseconds
--
-- How many microseconds there are in the difference of two times.

create or replace function cmbs_store.microseconds(
    p_difference interval
)
returns bigint
language sql
immutable
as $$ select (extract(epoch from p_difference) * 1000000)::bigint $$;
