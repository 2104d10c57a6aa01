-- cmbs_store.checked_items
--
-- The items of a proposal as they are recorded: their shape checked, the values of patches as
-- texts.
--
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs_store.checked_items(
    p_items jsonb
)
returns jsonb
language plpgsql
stable
as $$
declare
    v_items jsonb := '[]'::jsonb;
    v_item jsonb;
    v_member text;
begin
    if jsonb_typeof(p_items) is distinct from 'array'
        or jsonb_array_length(p_items) not between 1 and 100
    then
        perform cmbs_store.refuse_request('items', 'must be a list of 1 to 100 items');
    end if;
    for v_i in 0 .. jsonb_array_length(p_items) - 1 loop
        v_item := p_items -> v_i;
        v_member := format('items[%s]', v_i);
        if jsonb_typeof(v_item) <> 'object' then
            perform cmbs_store.refuse_request(v_member, 'must be an object');
        end if;
        v_items := v_items || case v_item ->> 'kind'
            when 'state_delta' then cmbs_store.checked_delta(v_member, v_item)
            when 'tool_call' then cmbs_store.checked_call(v_member, v_item)
        end;
        if v_items is null then
            perform cmbs_store.refuse_request(
                v_member || '.kind', 'must be state_delta or tool_call'
            );
        end if;
    end loop;
    if jsonb_array_length(jsonb_path_query_array(v_items, '$[*].patch.keyvalue().key')) > 1000 then
        perform cmbs_store.refuse_size('items', '1,000 keys in all patches together');
    end if;
    return v_items;
end
$$;
