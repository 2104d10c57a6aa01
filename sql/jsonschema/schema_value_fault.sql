-- cmbs_store.schema_value_fault
--
-- What is wrong with a value by the keywords that need no other schema: null if nothing is, with a
-- question mark before it if the schema is not one that was registered.

create or replace function cmbs_store.schema_value_fault(
    p_schema jsonb,
    p_value jsonb,
    p_type text
)
returns text
language plpgsql
stable
as $$
declare
    v_required jsonb;
begin
    if jsonb_typeof(p_schema) = 'boolean' then
        return case when p_schema = 'false' then 'is not allowed' end;
    elsif jsonb_typeof(p_schema) is distinct from 'object' then
        return '?its schema is not understood';
    elsif p_schema - cmbs_store.schema_keywords() <> '{}'
        or jsonb_typeof(p_schema -> 'properties') <> 'object'
    then
        return '?its schema is not understood';
    end if;
    if p_schema ? 'type' and not p_schema -> 'type' @> to_jsonb(p_type) and (
        case
            when p_type <> 'number' or not p_schema -> 'type' @> '"integer"' then true
            else trunc(p_value::numeric) <> p_value::numeric
        end
    ) then
        return case
            when cmbs_store.schema_types() @> (p_schema -> 'type') then format(
                'must be %s, is %s',
                translate(replace(p_schema ->> 'type', ',', ' or'), '[]"', ''),
                p_type
            )
            else '?its schema is not understood'
        end;
    end if;
    if p_schema ? 'const' and p_schema -> 'const' <> p_value then
        return 'must be ' || left((p_schema -> 'const')::text, 100);
    end if;
    if p_schema ? 'enum' then
        if jsonb_typeof(p_schema -> 'enum') <> 'array' then
            return '?its schema is not understood';
        -- For lists and objects @> is not equality.
        elsif p_type in ('array', 'object') and not exists (
            select
            from jsonb_array_elements(p_schema -> 'enum') as e (value)
            where e.value = p_value
        ) or not p_schema -> 'enum' @> jsonb_build_array(p_value) then
            return 'must be one of ' || left(p_schema ->> 'enum', 100);
        end if;
    end if;
    if p_type = 'object' and p_schema ? 'required' then
        v_required := p_schema -> 'required';
        if jsonb_typeof(v_required) <> 'array' then
            return '?its schema is not understood';
        end if;
        for v_index in 0 .. jsonb_array_length(v_required) - 1 loop
            if (p_value ? (v_required ->> v_index)) is not true then
                return format('must have the member %s', v_required ->> v_index);
            end if;
        end loop;
    elsif p_type in ('number', 'string', 'array') then
        return cmbs_store.schema_limit_fault(p_schema, p_value, p_type);
    end if;
    return null;
end
$$;
