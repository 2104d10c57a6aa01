-- cmbs_store.check_id
--
-- Refuses what cannot be an id.
--
-- Raises     MB201 INVALID_REQUEST.

create or replace function cmbs_store.check_id(
    p_member text,
    p_id text,
    p_max_bytes integer default 512
)
returns void
language plpgsql
stable
as $$
begin
    if p_id is null then
        perform cmbs_store.refuse_request(p_member, 'is missing');
    elsif not cmbs_store.is_id(p_id, p_max_bytes) then
        perform cmbs_store.refuse_request(
            p_member, format('must be text of 1 to %s bytes', p_max_bytes)
        );
    end if;
end
$$;
