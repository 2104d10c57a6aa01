-- cmbs_store.schema_keyword_fault
--
-- What is wrong with a schema itself, the schemas in it aside, as the JSON Pointer in it and a
-- sentence; null if nothing is.

create or replace function cmbs_store.schema_keyword_fault(
    p_schema jsonb,
    p_is_root boolean
)
returns text
language plpgsql
stable
as $$
declare
    v_name text;
    v_value jsonb;
    v_type text;
    v_problem text;
begin
    if jsonb_typeof(p_schema) = 'boolean' then
        return null;
    elsif jsonb_typeof(p_schema) is distinct from 'object' then
        return ': a schema is an object, true or false';
    end if;
    for v_name, v_value in select k.key, k.value from jsonb_each(p_schema) as k loop
        v_type := jsonb_typeof(v_value);
        v_problem := case
            when v_name <> all (cmbs_store.schema_keywords()) then 'is not supported'
            when v_name in ('properties', '$defs') then
                case when v_type <> 'object' then 'must be an object of schemas' end
            when v_name in ('allOf', 'anyOf', 'oneOf') then
                case when v_type <> 'array' or v_value = '[]' then 'must be a list of schemas' end
            when v_name in ('minItems', 'maxItems', 'minLength', 'maxLength') then case
                when v_type <> 'number' then 'must be a whole number'
                when v_value::numeric < 0 or trunc(v_value::numeric) <> v_value::numeric
                    then 'must be a whole number, 0 or more'
            end
            when v_name in ('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum') then
                case when v_type <> 'number' then 'must be a number' end
            when v_name = 'enum' then case
                when v_type <> 'array' or v_value = '[]' then 'must be a list of one value or more'
            end
            when v_name = 'examples' then case when v_type <> 'array' then 'must be a list' end
            when v_name = 'required' then case
                when not cmbs_store.schema_lists_names(v_value)
                    then 'must be a list of different names'
            end
            when v_name = 'type' then case
                when not cmbs_store.schema_types() @> v_value
                    or v_type <> 'string' and not cmbs_store.schema_lists_names(v_value)
                    or v_value = '[]'
                    then 'must be a type, or a list of different types'
            end
            when v_name in ('deprecated', 'readOnly', 'writeOnly') then
                case when v_type <> 'boolean' then 'must be true or false' end
            when v_name in ('const', 'default', 'additionalProperties', 'items', 'not') then null
            when v_type <> 'string' then 'must be a text'
            when v_name = 'pattern' then cmbs_store.schema_regex_fault(v_value #>> '{}')
            when v_name = '$ref' and cmbs_store.schema_pointer(v_value) is null
                then 'must be a local reference, # or #/...'
            when v_name = '$schema' and not p_is_root then 'may stand at the top only'
            when v_name = '$schema'
                and v_value #>> '{}' !~ '^https://json-schema\.org/draft/2020-12/schema#?$'
                then 'must be https://json-schema.org/draft/2020-12/schema'
        end;
        if v_problem is not null then
            return '/' || replace(replace(v_name, '~', '~0'), '/', '~1') || ': ' || v_problem;
        end if;
    end loop;
    return null;
end
$$;
