-- cmbs_store.free_object
--
-- The canonical text of an object that the server keeps without interpreting it (justification,
-- context, metadata), or null for null. Bounded before it is printed: size, digits, depth.
--
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE; class 22 and 54001 from the cast.

create or replace function cmbs_store.free_object(
    p_member text,
    p_object json
)
returns text
language plpgsql
stable
as $$
declare
    v_sent text := p_object::text;
    v_object jsonb;
    v_text text;
    v_n_numbers bigint;
    v_printed bigint;
    v_are_sane boolean;
begin
    if v_sent is null or v_sent = '{}' then
        return v_sent;
    end if;
    if octet_length(v_sent) > 4194304 then
        perform cmbs_store.refuse_size(p_member, '4 MiB as sent');
    end if;
    v_object := p_object::jsonb;
    if jsonb_typeof(v_object) <> 'object' then
        perform cmbs_store.refuse_request(p_member, 'must be a JSON object');
    end if;
    -- 9 kB of 1e131000 would print as 131 MB: measure the numbers before anything is printed.
    if v_sent ~ '[0-9.]{250}|[eE][+-]?0*[0-9]{2}' then
        select
            count(*),
            sum(case when n.is_sane then length(n.number::text) end),
            bool_and(n.is_sane)
        into v_n_numbers, v_printed, v_are_sane
        from (
            select q.number, abs(q.number) < 1e1000 and scale(q.number) <= 1000 as is_sane
            from (
                select v.value::numeric as number
                from jsonb_array_elements(
                    -- as a set of rows the same query takes time that is quadratic in their number
                    jsonb_path_query_array(v_object, 'strict $.** ? (@.type() == "number")')
                ) as v (value)
                limit 400000
            ) as q
        ) as n;
        if not v_are_sane then
            perform cmbs_store.refuse_request(
                p_member, 'numbers may have 1,000 digits on either side of the point'
            );
        end if;
        -- 400,000 numbers take more than a MiB however short they are; the rest was not looked at.
        if v_n_numbers = 400000 or v_printed > 1048576 then
            perform cmbs_store.refuse_size(p_member, '1 MiB of canonical text');
        end if;
    end if;
    if jsonb_path_exists(
        v_object, 'strict $.**{128} ? (@.type() == "object" || @.type() == "array")'
    ) then
        perform cmbs_store.refuse_request(p_member, 'may be nested 128 levels deep');
    end if;
    v_text := v_object::text;
    if octet_length(v_text) > 1048576 then
        perform cmbs_store.refuse_size(p_member, '1 MiB of canonical text');
    end if;
    if cmbs_store.n_colons(v_sent) <> cmbs_store.n_colons(v_text) then
        perform cmbs_store.refuse_request(p_member, 'a key may appear once in an object');
    end if;
    if position('"$redactable": ' in v_text) > 0
        and jsonb_path_exists(v_object, 'lax $.**."$redactable"')
    then
        perform cmbs_store.refuse_request(p_member, 'the key $redactable is reserved');
    end if;
    return v_text;
end
$$;
