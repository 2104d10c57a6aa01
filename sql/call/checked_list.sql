-- cmbs_store.checked_list
--
-- A list that is sent as JSON, bounded; the empty one if none is sent.
--
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE; class 22 from the cast.

create or replace function cmbs_store.checked_list(
    p_member text,
    p_list json,
    p_max_count integer
)
returns jsonb
language plpgsql
stable
as $$
declare
    v_list jsonb;
begin
    if p_list is null then
        return '[]'::jsonb;
    elsif octet_length(p_list::text) > 67108864 then
        perform cmbs_store.refuse_size(p_member, '64 MiB as sent');
    end if;
    v_list := p_list::jsonb;
    if jsonb_typeof(v_list) <> 'array' then
        perform cmbs_store.refuse_request(p_member, 'must be a list');
    elsif jsonb_array_length(v_list) > p_max_count then
        perform cmbs_store.refuse_size(p_member, format('%s of them', p_max_count));
    end if;
    return v_list;
end
$$;
