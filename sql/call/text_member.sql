-- cmbs_store.text_member
--
-- A member of an object that must be a string, null if it is null or absent.
--
-- Raises     MB201 INVALID_REQUEST.

create or replace function cmbs_store.text_member(
    p_object jsonb,
    p_member text
)
returns text
language plpgsql
stable
as $$
begin
    if jsonb_typeof(p_object -> p_member) not in ('string', 'null') then
        perform cmbs_store.refuse_request(p_member, 'must be a string');
    end if;
    return p_object ->> p_member;
end
$$;
