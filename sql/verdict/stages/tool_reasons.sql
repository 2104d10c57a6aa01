-- cmbs_store.tool_reasons
--
-- The stages of idempotency and of schemas for one tool call.
--
-- p_tool        the hash of the definition, null and false as cmbs_store.tools_named has them
-- p_definition  the definition, null if there is none
-- p_schemas     the documents of JSON Schemas

create or replace function cmbs_store.tool_reasons(
    p_item_no integer,
    p_item jsonb,
    p_tool jsonb,
    p_definition jsonb,
    p_schemas jsonb,
    p_has_key boolean
)
returns cmbs_store.reason[]
language plpgsql
stable
as $$
declare
    v_reasons cmbs_store.reason[] := array[]::cmbs_store.reason[];
    v_schema jsonb := p_definition -> 'args_schema';
    v_fault text;
begin
    if p_definition is null then
        return array[(
            p_item_no, 'schemas',
            case when p_tool = 'false' then 'TOOL_WITHDRAWN' else 'TOOL_UNKNOWN' end,
            null, 'block', format(
                'the tool %s %s', left(p_item ->> 'tool_id', 200),
                case when p_tool = 'false' then 'was withdrawn' else 'is not registered' end
            )
        )::cmbs_store.reason];
    end if;
    if not p_has_key and p_definition -> 'mutating' <> 'false' then
        v_reasons := array[(
            p_item_no, 'idempotency', 'IDEMPOTENCY_REQUIRED', null, 'block', format(
                'the tool %s changes something: send an idempotency_key',
                left(p_item ->> 'tool_id', 200)
            )
        )::cmbs_store.reason];
    end if;
    if jsonb_typeof(v_schema) = 'string' then
        v_schema := p_schemas -> (v_schema #>> '{}');
        if v_schema is null then
            v_fault := 'the schema of the tool is not there';
        end if;
    end if;
    if p_item ? 'args' and jsonb_typeof(v_schema) in ('object', 'boolean') then
        v_fault := cmbs_store.schema_fault(v_schema, p_item -> 'args');
    end if;
    if v_fault is not null then
        v_reasons := v_reasons || (
            p_item_no, 'schemas', 'ARGS_SCHEMA_INVALID', null, 'block', left(v_fault, 300)
        )::cmbs_store.reason;
    end if;
    return v_reasons;
end
$$;
