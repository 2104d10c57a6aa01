-- cmbs_store.check_ids
--
-- Refuses a list that is not a plain list of ids. The cheap questions come first: a short list of
-- valid ids is passed without a query.
--
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs_store.check_ids(
    p_member text,
    p_ids text[],
    p_max_count integer
)
returns void
language plpgsql
stable
as $$
declare
    v_bytes bigint := octet_length(array_to_string(p_ids, ''));
begin
    if p_ids is null or array_ndims(p_ids) > 1 then
        perform cmbs_store.refuse_request(p_member, 'must be a list of ids');
    end if;
    if cardinality(p_ids) > p_max_count then
        perform cmbs_store.refuse_size(p_member, format('%s ids', p_max_count));
    end if;
    if array_position(p_ids, null) is not null or array_position(p_ids, '') is not null
        or v_bytes > 512 and exists (
            select from unnest(p_ids) as u (id) where octet_length(u.id) > 512
        )
    then
        perform cmbs_store.refuse_request(p_member, 'every id must be text of 1 to 512 bytes');
    end if;
    if v_bytes > 67108864 then
        perform cmbs_store.refuse_size(p_member, '64 MiB of ids');
    end if;
end
$$;
