-- cmbs_store.holds
--
-- Whether a condition holds: true, false, or null where it is not known, by Kleene's logic. The
-- condition is well-formed, as cmbs_store.condition_facts says.
--
-- p_values     key -> value; $args and $artifacts are those of the call
-- p_schemas   schema id -> document

create or replace function cmbs_store.holds(
    p_condition jsonb,
    p_values jsonb,
    p_schemas jsonb
)
returns boolean
language plpgsql
stable
as $$
declare
    v_op text := p_condition ->> 'op';
    v_args jsonb := p_condition -> 'args';
    v_found record;
    v_other jsonb;
    v_holds boolean;
    v_child boolean;
begin
    if v_op in ('all', 'any') then
        v_holds := v_op = 'all';
        for v_i in 0 .. jsonb_array_length(v_args) - 1 loop
            v_child := cmbs_store.holds(v_args -> v_i, p_values, p_schemas);
            if v_child = (v_op = 'any') then
                return v_child;
            end if;
            v_holds := case when v_child is not null then v_holds end;
        end loop;
        return v_holds;
    elsif v_op = 'not' then
        return not cmbs_store.holds(v_args -> 0, p_values, p_schemas);
    elsif v_op = 'schema' then
        return cmbs_store.conforms(
            p_schemas -> (v_args ->> 0), cmbs_store.schema_target(p_values, v_args ->> 1)
        );
    end if;
    v_found := cmbs_store.value_at_path(p_values, v_args ->> 0);
    if not v_found.p_is_known then
        return null;
    elsif v_op = 'exists' then
        return coalesce(v_found.p_value <> 'null', false);
    elsif v_op = 'missing' then
        return coalesce(v_found.p_value = 'null', true);
    end if;
    v_other := cmbs_store.operand(p_values, v_args -> 1);
    if v_op = 'eq' then
        return v_found.p_value = v_other;
    elsif v_op = 'in' and v_found.p_value is not null and jsonb_typeof(v_other) = 'array' then
        return exists (
            select from jsonb_array_elements(v_other) as e (value) where e.value = v_found.p_value
        );
    end if;
    return null;
end
$$;
