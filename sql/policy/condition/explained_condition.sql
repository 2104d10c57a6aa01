-- cmbs_store.explained_condition
--
-- A condition with what each of its nodes came to, and what the values were that it read: a tree of
-- objects, for those who ask why.

create or replace function cmbs_store.explained_condition(
    p_condition jsonb,
    p_values jsonb,
    p_schemas jsonb
)
returns jsonb
language plpgsql
stable
as $$
declare
    v_op text := p_condition ->> 'op';
    v_args jsonb := p_condition -> 'args';
    v_node jsonb := jsonb_build_object(
        'op', v_op,
        'holds', coalesce(cmbs_store.holds(p_condition, p_values, p_schemas)::text, 'unknown')
    );
    v_children jsonb := '[]'::jsonb;
    v_found record;
begin
    if v_op in ('all', 'any', 'not') then
        for v_i in 0 .. jsonb_array_length(v_args) - 1 loop
            v_children := v_children || jsonb_build_array(
                cmbs_store.explained_condition(v_args -> v_i, p_values, p_schemas)
            );
        end loop;
        return v_node || jsonb_build_object('args', v_children);
    elsif v_op = 'schema' then
        return v_node || jsonb_build_object(
            'args', v_args,
            'fault', cmbs_store.schema_fault(
                p_schemas -> (v_args ->> 0),
                cmbs_store.schema_target(p_values, v_args ->> 1)
            )
        );
    end if;
    v_found := cmbs_store.value_at_path(p_values, v_args ->> 0);
    v_node := v_node || jsonb_build_object(
        'args', v_args,
        'read', jsonb_build_object(v_args ->> 0, case
            when v_found.p_is_known then coalesce(v_found.p_value, '{"absent": true}')
            else '{"unreadable": true}'
        end)
    );
    if jsonb_typeof(v_args -> 1) = 'object' and v_args -> 1 ? 'ref' then
        v_node := v_node || jsonb_build_object('reference', jsonb_build_object(
            v_args -> 1 ->> 'ref',
            coalesce(cmbs_store.operand(p_values, v_args -> 1), '{"absent": true}')
        ));
    end if;
    return v_node;
end
$$;
