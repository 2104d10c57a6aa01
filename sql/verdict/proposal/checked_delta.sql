-- cmbs_store.checked_delta
--
-- A state delta as it is recorded: null deletes a key, an object or a list is kept as its canonical
-- text, so that it is decided on as that text is.
--
-- Raises     MB201 INVALID_REQUEST.

create or replace function cmbs_store.checked_delta(
    p_member text,
    p_item jsonb
)
returns jsonb
language plpgsql
stable
as $$
begin
    perform cmbs_store.check_members(p_member, p_item, '{kind, patch, s_core}');
    if not p_item ?| '{patch, s_core}' then
        perform cmbs_store.refuse_request(p_member, 'must have a patch, or an s_core');
    elsif p_item ? 'patch' and (
        jsonb_typeof(p_item -> 'patch') <> 'object' or p_item -> 'patch' = '{}'
        or jsonb_path_exists(
            p_item, 'strict $.patch.* ? (@.type() == "number" || @.type() == "boolean")'
        )
    ) then
        perform cmbs_store.refuse_request(
            p_member || '.patch', 'must be an object: key -> the text of a value, or null'
        );
    elsif p_item ? 's_core' and (
        jsonb_typeof(p_item -> 's_core') <> 'array'
        or jsonb_array_length(p_item -> 's_core') > 8192
        or jsonb_path_exists(p_item, 'strict $.s_core[*] ? (@.type() != "number")')
        -- What a real cannot hold, at either end.
        or jsonb_path_exists(p_item, 'strict $.s_core[*] ? (@ > 3e38 || @ < -3e38)')
        or jsonb_path_exists(
            p_item, 'strict $.s_core[*] ? (@ != 0 && @ < 1.2e-38 && @ > -1.2e-38)'
        )
    ) then
        perform cmbs_store.refuse_request(
            p_member || '.s_core', 'must be a list of up to 8,192 numbers that are floats'
        );
    end if;
    return p_item || case
        when p_item ? 'patch' then jsonb_build_object('patch', (
            select jsonb_object_agg(
                m.key,
                case
                    when jsonb_typeof(m.value) in ('object', 'array')
                        then to_jsonb(m.value::text)
                    else m.value
                end
            )
            from jsonb_each(p_item -> 'patch') as m (key, value)
        ))
        else '{}'
    end;
end
$$;
