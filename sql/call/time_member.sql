-- cmbs_store.time_member
--
-- A member of an object that must be a time with its zone, null if it is null or absent.
--
-- Raises     MB201 INVALID_REQUEST; class 22 from the cast.

create or replace function cmbs_store.time_member(
    p_object jsonb,
    p_member text
)
returns timestamptz
language plpgsql
stable
as $$
declare
    v_text text := cmbs_store.text_member(p_object, p_member);
    v_at timestamptz;
begin
    if v_text !~ (
        '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?'
        '(Z|[+-][0-9]{2}:?[0-9]{2})$'
    ) then
        perform cmbs_store.refuse_request(
            p_member, 'must be a time such as 2026-11-18T07:49:06Z'
        );
    end if;
    v_at := v_text::timestamptz;
    if v_at >= '10000-01-01T00:00:00Z' or v_at < '0001-01-01T00:00:00Z' then
        perform cmbs_store.refuse_request(p_member, 'must be a time of the years 1 to 9999');
    end if;
    return v_at;
end
$$;
