-- cmbs_store.schema_fault
--
-- Why a value does not conform to a JSON Schema, as one sentence that begins with its JSON Pointer
-- ("/" is the whole value); null if it conforms. What cannot be decided does not conform.

create or replace function cmbs_store.schema_fault(
    p_schema jsonb,
    p_instance jsonb
)
returns text
language plpgsql
stable
as $$
declare
    v_walk record;
begin
    if p_instance is null then
        return '/: there is no value';
    end if;
    if p_schema is null then
        return '/: there is no schema';
    end if;
    -- 20,000 steps take less than half a second.
    v_walk := cmbs_store.schema_walk(p_schema, p_schema, p_instance, '', 0, 20000);
    return ltrim(v_walk.p_fault, '?');
end
$$;
