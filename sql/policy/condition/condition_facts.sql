-- cmbs_store.condition_facts
--
-- Reads a condition: what is malformed about it, the keys that it may read, and the schemas that it
-- names. An unknown op, or arguments of another number or kind, make all of it malformed.
--
-- p_depth    how many predicates it is nested in, itself included

create or replace function cmbs_store.condition_facts(
    p_condition jsonb,
    p_depth integer,
    out p_fault text,
    out p_reads text[],
    out p_schemas text[]
)
returns record
language plpgsql
immutable
as $$
declare
    v_op text := p_condition ->> 'op';
    v_args jsonb := p_condition -> 'args';
    v_n integer;
    v_child record;
begin
    p_reads := '{}';
    p_schemas := '{}';
    p_fault := case
        when jsonb_typeof(p_condition) is distinct from 'object'
            then 'a condition must be an object'
        when p_condition - array['op', 'args'] <> '{}'
            then 'a condition has the members op and args'
        when jsonb_typeof(p_condition -> 'op') is distinct from 'string' then 'op must be a string'
        when jsonb_typeof(v_args) is distinct from 'array' then 'args must be a list'
        when p_depth > 16 then 'conditions may be nested 16 levels deep'
    end;
    if p_fault is not null then
        return;
    end if;
    v_n := jsonb_array_length(v_args);
    if v_op in ('all', 'any', 'not') then
        if v_n = 0 or v_op = 'not' and v_n > 1 then
            p_fault := v_op || case v_op when 'not' then ' takes one condition' else
                ' takes one condition or more' end;
        end if;
        for v_i in 0 .. v_n - 1 loop
            exit when p_fault is not null;
            v_child := cmbs_store.condition_facts(v_args -> v_i, p_depth + 1);
            p_fault := v_child.p_fault;
            p_reads := p_reads || v_child.p_reads;
            p_schemas := p_schemas || v_child.p_schemas;
        end loop;
        return;
    end if;
    p_fault := cmbs_store.clause_fault(v_op, v_args);
    if p_fault is null then
        p_reads := cmbs_store.keys_of_clause(v_op, v_args);
        if v_op = 'schema' then
            p_schemas := array[v_args ->> 0];
        end if;
    end if;
end
$$;
