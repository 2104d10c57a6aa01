-- cmbs_store.check_limit
--
-- Refuses a page size out of bounds; null asks for everything.
--
-- Raises     MB201 INVALID_REQUEST.

create or replace function cmbs_store.check_limit(
    p_limit integer,
    p_max integer
)
returns void
language plpgsql
stable
as $$
begin
    if p_limit not between 1 and p_max then
        perform cmbs_store.refuse_request('limit', format('must be from 1 to %s', p_max));
    end if;
end
$$;
