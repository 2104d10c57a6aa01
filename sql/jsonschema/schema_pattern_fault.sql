-- cmbs_store.schema_pattern_fault
--
-- What is wrong with a text by the pattern of a JSON Schema: null if nothing is, with a question
-- mark before it if that is not known. A text of more than 10,000 characters is not searched.

create or replace function cmbs_store.schema_pattern_fault(
    p_pattern jsonb,
    p_text text
)
returns text
language plpgsql
stable
as $$
declare
    v_regex text := cmbs_store.schema_regex(p_pattern #>> '{}');
begin
    if jsonb_typeof(p_pattern) <> 'string' or v_regex like '?%' then
        return '?its schema is not understood';
    end if;
    if char_length(p_text) > 10000 then
        return '?must have at most 10,000 characters to be compared with a pattern';
    end if;
    begin
        -- In this collation, and no other, \w and \d are what ECMA-262 says.
        if p_text collate "C" ~ v_regex then
            return null;
        end if;
    exception
        when invalid_regular_expression then
            return '?its schema is not understood';
    end;
    return 'must match the pattern ' || (p_pattern #>> '{}');
end
$$;
