-- cmbs_store.value_fault
--
-- Why a text cannot be the value of a key: a reason code, null if it can be.
--
-- Numbers are bounded as they are in free objects: a value is printed where decisions are
-- explained.

create or replace function cmbs_store.value_fault(
    p_value text
)
returns text
language plpgsql
stable
as $$
declare
    v_value jsonb;
begin
    begin
        v_value := p_value::jsonb;
    exception
        when data_exception or statement_too_complex then
            return 'VALUE_NOT_JSON';
    end;
    if p_value ~ '[0-9.]{250}|[eE][+-]?0*[0-9]{2}' and exists (
        select
        from jsonb_array_elements(
            jsonb_path_query_array(v_value, 'strict $.** ? (@.type() == "number")')
        ) as n (number)
        where abs(n.number::numeric) >= 1e1000 or scale(n.number::numeric) > 1000
    ) then
        return 'VALUE_NOT_JSON';
    end if;
    if jsonb_path_exists(
        v_value, 'strict $.**{128} ? (@.type() == "object" || @.type() == "array")'
    ) then
        return 'VALUE_NOT_JSON';
    end if;
    return case
        when jsonb_typeof(v_value) <> 'object' then 'VALUE_VERSION_INVALID'
        when cmbs_store.n_colons(p_value) <> cmbs_store.n_colons(v_value::text)
            then 'DUPLICATE_JSON_KEY'
        when v_value -> 'v' is distinct from '1' then 'VALUE_VERSION_INVALID'
    end;
end
$$;
