-- cmbs_store.clause_fault
--
-- What is malformed about a predicate that holds no others; null if nothing is.

create or replace function cmbs_store.clause_fault(
    p_op text,
    p_args jsonb
)
returns text
language plpgsql
immutable
as $$
declare
    v_n integer := jsonb_array_length(p_args);
    v_first text := case when jsonb_typeof(p_args -> 0) = 'string' then p_args ->> 0 end;
    v_second jsonb := p_args -> 1;
    v_is_ref boolean := coalesce(jsonb_typeof(v_second) = 'object' and v_second ? 'ref', false);
begin
    if p_op = 'schema' then
        return case
            when v_n not in (1, 2) or coalesce(v_first, '') = ''
                then 'schema takes the id of a schema, and perhaps what is held against it'
            when v_n = 2 and (
                jsonb_typeof(v_second) <> 'string'
                or p_args ->> 1 <> 'args'
                and p_args ->> 1 !~ '^artifact:.'
                and not cmbs_store.is_path(p_args ->> 1)
            ) then 'schema is held against args, artifact:<name> or a path'
        end;
    end if;
    return case
        when p_op not in ('eq', 'in', 'exists', 'missing') then format('op %s is not known', p_op)
        when v_n <> case when p_op in ('eq', 'in') then 2 else 1 end
            then format('%s takes %s', p_op, case when p_op in ('eq', 'in') then
                'a path and a value' else 'a path' end)
        when not coalesce(cmbs_store.is_path(v_first), false)
            then format('%s is not a path of facts, goals or policy', left(p_args ->> 0, 100))
        when v_is_ref and (
            v_second - 'ref' <> '{}' or jsonb_typeof(v_second -> 'ref') <> 'string'
            or not cmbs_store.is_path(v_second ->> 'ref')
        ) then 'ref must be a path of facts, goals or policy'
        when p_op = 'in' and not v_is_ref and jsonb_typeof(v_second) <> 'array'
            then 'in takes a list, or a ref to one'
    end;
end
$$;
