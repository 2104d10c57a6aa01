-- cmbs_store.conforms
--
-- Whether a value conforms to a JSON Schema; null if one of them is not there, or if it cannot be
-- decided within bounds, which neither a constraint nor its negation may take for a yes.

create or replace function cmbs_store.conforms(
    p_schema jsonb,
    p_value jsonb
)
returns boolean
language plpgsql
stable
as $$
declare
    v_walk record;
begin
    if p_schema is null or p_value is null then
        return null;
    end if;
    v_walk := cmbs_store.schema_walk(p_schema, p_schema, p_value, '', 0, 20000);
    return case when starts_with(v_walk.p_fault, '?') then null else v_walk.p_fault is null end;
end
$$;
