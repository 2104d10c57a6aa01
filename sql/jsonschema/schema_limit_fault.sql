-- cmbs_store.schema_limit_fault
--
-- What is wrong with a number, a text or a list by the limits of a JSON Schema and by its pattern:
-- null if nothing is, with a question mark before it if that is not known.

create or replace function cmbs_store.schema_limit_fault(
    p_schema jsonb,
    p_value jsonb,
    p_type text
)
returns text
language plpgsql
stable
as $$
declare
    v_keywords text[];
    v_keyword text;
    v_size numeric;
    v_limit numeric;
begin
    if p_type = 'string' and p_schema ? 'pattern' then
        v_keyword := cmbs_store.schema_pattern_fault(p_schema -> 'pattern', p_value #>> '{}');
        if v_keyword is not null then
            return v_keyword;
        end if;
    end if;
    v_keywords := case p_type
        when 'number' then array['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']
        when 'string' then array['minLength', 'maxLength']
        else array['minItems', 'maxItems']
    end;
    if not p_schema ?| v_keywords then
        return null;
    end if;
    v_size := case p_type
        when 'number' then p_value::numeric
        when 'string' then char_length(p_value #>> '{}')
        else jsonb_array_length(p_value)
    end;
    foreach v_keyword in array v_keywords loop
        continue when not p_schema ? v_keyword;
        if jsonb_typeof(p_schema -> v_keyword) <> 'number' then
            return '?its schema is not understood';
        end if;
        v_limit := (p_schema -> v_keyword)::numeric;
        if v_keyword like 'min%' and v_size < v_limit
            or v_keyword like 'max%' and v_size > v_limit
            or v_keyword = 'exclusiveMinimum' and v_size <= v_limit
            or v_keyword = 'exclusiveMaximum' and v_size >= v_limit
        then
            return format(
                'must %s %s %s%s',
                case p_type when 'number' then 'be' else 'have' end,
                case
                    when v_keyword = 'exclusiveMinimum' then 'more than'
                    when v_keyword = 'exclusiveMaximum' then 'less than'
                    when v_keyword like 'min%' then 'at least'
                    else 'at most'
                end,
                p_schema ->> v_keyword,
                case p_type when 'string' then ' characters' when 'array' then ' items' end
            );
        end if;
    end loop;
    return null;
end
$$;
