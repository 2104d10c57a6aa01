-- cmbs_store.schema_walk
--
-- One value against one schema of the document p_root, and what is inside of it against what is
-- inside of the schema.
--
-- p_depth  steps into the value and from schema to schema so far: what goes deeper is not decided
-- p_left   how many steps may still be taken, and are left afterwards
-- p_fault  the first fault, null if there is none; with a question mark before it if neither is
--          known, so that no "not" and no "oneOf" makes a conforming value of it

create or replace function cmbs_store.schema_walk(
    p_root jsonb,
    p_schema jsonb,
    p_value jsonb,
    p_path text,
    p_depth integer,
    inout p_left integer,
    out p_fault text
)
returns record
language plpgsql
stable
as $$
declare
    v_type text := jsonb_typeof(p_value);
    v_walk record;
    v_name text;
    v_value jsonb;
    v_schema jsonb;
begin
    -- Taking a value out of another copies it; a pattern can cost 10 microseconds a character.
    p_left := p_left - 1 - pg_column_size(p_value) / case
        when v_type = 'string' and p_schema ? 'pattern' then 10
        else 16384
    end;
    p_fault := case
        when p_depth > 64 then '?nested too deeply to be checked'
        when p_left < 0 then '?too much to be checked'
        else cmbs_store.schema_value_fault(p_schema, p_value, v_type)
    end;
    if p_fault is not null then
        p_fault := case when p_fault like '?%' then '?' else '' end
            || coalesce(nullif(p_path, ''), '/') || ': ' || ltrim(p_fault, '?');
        return;
    end if;
    if p_schema ?| array['$ref', 'allOf', 'anyOf', 'oneOf', 'not'] then
        v_walk := cmbs_store.schema_apply(p_root, p_schema, p_value, p_path, p_depth, p_left);
        p_left := v_walk.p_left;
        p_fault := v_walk.p_fault;
        if p_fault is not null then
            return;
        end if;
    end if;
    if v_type = 'object' and p_schema ?| array['properties', 'additionalProperties'] then
        for v_name, v_value in select m.key, m.value from jsonb_each(p_value) as m loop
            v_schema := coalesce(
                p_schema -> 'properties' -> v_name, p_schema -> 'additionalProperties', 'true'
            );
            v_walk := cmbs_store.schema_walk(
                p_root,
                v_schema,
                v_value,
                format('%s/%s', p_path, replace(replace(v_name, '~', '~0'), '/', '~1')),
                p_depth + 1,
                p_left
            );
            p_left := v_walk.p_left;
            p_fault := v_walk.p_fault;
            exit when p_fault is not null;
        end loop;
    elsif v_type = 'array' and p_schema ? 'items' then
        for v_index in 0 .. jsonb_array_length(p_value) - 1 loop
            v_walk := cmbs_store.schema_walk(
                p_root,
                p_schema -> 'items',
                p_value -> v_index,
                p_path || '/' || v_index,
                p_depth + 1,
                p_left
            );
            p_left := v_walk.p_left;
            p_fault := v_walk.p_fault;
            exit when p_fault is not null;
        end loop;
    end if;
end
$$;
