-- cmbs_store.schema_apply
--
-- One value against the schemas that a schema applies to the same value: $ref, allOf, anyOf, oneOf
-- and not. Parameters and results are those of cmbs_store.schema_walk.

create or replace function cmbs_store.schema_apply(
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
    v_place text := coalesce(nullif(p_path, ''), '/');
    v_walk record;
    v_keyword text;
    v_schemas jsonb;
    v_n_right integer;
    v_fault text;
    v_unsure text;
begin
    foreach v_keyword in array array['$ref', 'allOf', 'anyOf', 'oneOf', 'not'] loop
        continue when not p_schema ? v_keyword;
        v_schemas := case v_keyword
            when '$ref' then
                jsonb_build_array(cmbs_store.schema_at_ref(p_root, p_schema -> '$ref'))
            when 'not' then jsonb_build_array(p_schema -> 'not')
            else p_schema -> v_keyword
        end;
        if jsonb_typeof(v_schemas) <> 'array' then
            p_fault := '?' || v_place || ': its schema is not understood';
            return;
        end if;
        v_n_right := 0;
        v_fault := null;
        v_unsure := null;
        for v_index in 0 .. jsonb_array_length(v_schemas) - 1 loop
            v_walk := cmbs_store.schema_walk(
                p_root, v_schemas -> v_index, p_value, p_path, p_depth + 1, p_left
            );
            p_left := v_walk.p_left;
            if v_walk.p_fault is null then
                v_n_right := v_n_right + 1;
            elsif v_walk.p_fault like '?%' then
                v_unsure := coalesce(v_unsure, v_walk.p_fault);
            else
                v_fault := coalesce(v_fault, v_walk.p_fault);
            end if;
            exit when case v_keyword
                when 'anyOf' then v_n_right = 1
                when 'oneOf' then v_n_right = 2
                else v_walk.p_fault is not null
            end;
        end loop;
        p_fault := case
            when v_keyword in ('$ref', 'allOf') then coalesce(v_unsure, v_fault)
            when v_n_right = 2 then v_place || ': matches more than one schema of oneOf'
            when v_keyword = 'anyOf' and v_n_right = 1 then null
            when v_unsure is not null then v_unsure
            when v_keyword = 'not' and v_n_right = 1
                then v_place || ': must not match the schema of not'
            when v_keyword <> 'not' and v_n_right = 0
                then v_place || ': matches no schema of ' || v_keyword
        end;
        if p_fault is not null then
            return;
        end if;
    end loop;
end
$$;
