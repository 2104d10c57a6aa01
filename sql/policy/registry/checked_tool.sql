-- cmbs_store.checked_tool
--
-- The definition of a tool, checked, with what was left out filled in. A tool that does not say so
-- changes something.
--
-- Raises     MB009 SCHEMA_NOT_FOUND, MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs_store.checked_tool(
    p_definition json,
    p_tenant text
)
returns jsonb
language plpgsql
stable
as $$
declare
    v_sent jsonb := cmbs_store.free_object('definition', coalesce(p_definition, '{}'))::jsonb;
    v_authorities jsonb := cmbs_store.text_list('authorities', v_sent -> 'authorities');
    v_schema jsonb := coalesce(v_sent -> 'args_schema', 'null');
begin
    perform cmbs_store.check_members(
        'definition', v_sent, '{version, authorities, mutating, effect_class, args_schema}'
    );
    if coalesce(jsonb_typeof(v_sent -> 'version'), 'null') not in ('string', 'number', 'null') then
        perform cmbs_store.refuse_request('version', 'must be a text or a number');
    elsif coalesce(jsonb_typeof(v_sent -> 'mutating'), 'null') not in ('boolean', 'null') then
        perform cmbs_store.refuse_request('mutating', 'must be true or false');
    elsif coalesce(v_sent ->> 'effect_class', 'none') not in (
        'none', 'local', 'network', 'external'
    ) then
        perform cmbs_store.refuse_request(
            'effect_class', 'must be none, local, network or external'
        );
    elsif exists (
        select from jsonb_array_elements_text(v_authorities) as a (authority)
        where a.authority ~ '^(tool|state|claim)\.'
    ) then
        perform cmbs_store.refuse_request(
            'authorities', 'may not begin with tool., state. or claim., which the kernel gives'
        );
    elsif jsonb_typeof(v_schema) = 'string' and not exists (
        select
        from cmbs_store.json_schema as s
        where s.tenant in (p_tenant, '*') and s.schema_id = v_schema #>> '{}'
    ) then
        perform cmbs_store.refuse_missing(
            'schema', json_build_object('schema_id', v_schema #>> '{}')
        );
    elsif jsonb_typeof(v_schema) in ('object', 'boolean') then
        perform cmbs_store.checked_schema('args_schema', v_schema::json);
    elsif jsonb_typeof(v_schema) in ('number', 'array') then
        perform cmbs_store.refuse_request(
            'args_schema', 'must be the id of a schema, a schema or null'
        );
    end if;
    return jsonb_build_object(
        'version', coalesce(v_sent -> 'version', 'null'),
        'authorities', v_authorities,
        'mutating', coalesce((v_sent ->> 'mutating')::boolean, true),
        'effect_class', coalesce(v_sent ->> 'effect_class', 'external'),
        'args_schema', v_schema
    );
end
$$;
