-- cmbs_store.schema_regex_fault
--
-- Why a regular expression cannot be the pattern of a JSON Schema, null if it can.

create or replace function cmbs_store.schema_regex_fault(
    p_pattern text
)
returns text
language plpgsql
stable
as $$
declare
    v_regex text := cmbs_store.schema_regex(p_pattern);
begin
    if v_regex like '?%' then
        return substr(v_regex, 2);
    end if;
    if '' collate "C" ~ v_regex is null then
        return 'must be a regular expression';
    end if;
    return null;
exception
    when invalid_regular_expression then
        return 'must be a regular expression: ' || regexp_replace(sqlerrm, '^.*: ', '');
end
$$;
