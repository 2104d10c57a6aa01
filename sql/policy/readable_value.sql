-- cmbs_store.readable_value
--
-- A stored value as JSON; JSON null where it cannot be read, because it is not JSON, not an object,
-- or has no v. Verbs store no such values, but a restored dump may hold them.

create or replace function cmbs_store.readable_value(
    p_value text
)
returns jsonb
language plpgsql
stable
as $$
declare
    v_value jsonb;
begin
    v_value := p_value::jsonb;
    return case
        when v_value ? 'v' and jsonb_typeof(v_value) = 'object' then v_value else 'null'
    end;
exception
    when data_exception or statement_too_complex then
        return 'null'::jsonb;
end
$$;
