-- cmbs_store.clause_text
--
-- What one clause of a condition would need, and what is there instead, as a sentence for people.
--
-- p_want     whether it is to hold, or not to

create or replace function cmbs_store.clause_text(
    p_clause jsonb,
    p_values jsonb,
    p_schemas jsonb,
    p_want boolean
)
returns text
language plpgsql
stable
as $$
declare
    v_op text := p_clause ->> 'op';
    v_path text := p_clause -> 'args' ->> 0;
    v_other jsonb := p_clause -> 'args' -> 1;
    v_must text := case when p_want then 'must' else 'must not' end;
    v_found record;
    v_is text;
begin
    if v_op = 'schema' then
        return format(
            '%s %s conform to the schema %s: %s',
            coalesce(p_clause -> 'args' ->> 1, 'args'), v_must, v_path,
            coalesce(
                case when p_schemas ? v_path then cmbs_store.schema_fault(
                    p_schemas -> v_path,
                    cmbs_store.schema_target(p_values, p_clause -> 'args' ->> 1)
                ) end,
                'it does'
            )
        );
    end if;
    v_found := cmbs_store.value_at_path(p_values, v_path);
    v_is := case
        when v_found.p_is_known then cmbs_store.shown_value(v_found.p_value) else 'cannot be read'
    end;
    return case
        when v_op in ('exists', 'missing') then format(
            '%s %s be there, %s',
            v_path, case when (v_op = 'exists') = p_want then 'must' else 'must not' end, v_is
        )
        else format(
            '%s must %s%s%s%s, %s',
            v_path,
            case when p_want then '' else 'be there and not ' end,
            case v_op when 'eq' then 'equal ' else 'be one of ' end,
            case
                when jsonb_typeof(v_other) = 'object' and v_other ? 'ref' then v_other ->> 'ref'
                else substr(cmbs_store.shown_value(v_other), 4)
            end,
            case
                when jsonb_typeof(v_other) = 'object' and v_other ? 'ref' then
                    format(
                        ' (which %s)',
                        cmbs_store.shown_value(cmbs_store.operand(p_values, v_other))
                    )
            end,
            v_is
        )
    end;
end
$$;
