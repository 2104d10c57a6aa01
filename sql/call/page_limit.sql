-- cmbs_store.page_limit
--
-- How many entries a list in an answer may have: 100 unless the caller says otherwise.
--
-- Raises     MB201 INVALID_REQUEST.

create or replace function cmbs_store.page_limit(
    p_limit integer
)
returns integer
language plpgsql
stable
as $$
begin
    perform cmbs_store.check_limit(p_limit, 1000);
    return coalesce(p_limit, 100);
end
$$;
