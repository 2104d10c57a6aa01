-- cmbs_store.operand
--
-- The second operand of a comparison: a literal, or what a reference leads to; null if that is not
-- there or cannot be read.

create or replace function cmbs_store.operand(
    p_values jsonb,
    p_operand jsonb
)
returns jsonb
language sql
immutable
as $$
    select case
        when jsonb_typeof(p_operand) = 'object' and p_operand ? 'ref'
            then (cmbs_store.value_at_path(p_values, p_operand ->> 'ref')).p_value
        else p_operand
    end
$$;
