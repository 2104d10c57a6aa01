-- cmbs_store.text_list
--
-- A list of texts, sorted and each once; an empty one if it is left out.
--
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs_store.text_list(
    p_member text,
    p_list jsonb
)
returns jsonb
language plpgsql
stable
as $$
begin
    if p_list is null or p_list = 'null' then
        return '[]'::jsonb;
    elsif jsonb_typeof(p_list) <> 'array'
        or jsonb_path_exists(p_list, 'strict $[*] ? (@.type() != "string")')
    then
        perform cmbs_store.refuse_request(p_member, 'must be a list of texts');
    elsif jsonb_array_length(p_list) > 1000 then
        perform cmbs_store.refuse_size(p_member, '1,000 entries');
    end if;
    perform cmbs_store.check_id(p_member, e.entry)
    from jsonb_array_elements_text(p_list) as e (entry);
    return (
        select coalesce(jsonb_agg(d.entry order by d.entry), '[]')
        from (
            select distinct e.entry collate "C" as entry
            from jsonb_array_elements_text(p_list) as e (entry)
        ) as d
    );
end
$$;
