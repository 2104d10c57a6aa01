-- cmbs_store.constraint_fault
--
-- What is malformed about a constraint, its condition aside; null if nothing is.

create or replace function cmbs_store.constraint_fault(
    p_key text,
    p_value text
)
returns text
language plpgsql
immutable
as $$
declare
    v_code text;
    v_value jsonb;
begin
    if octet_length(p_value) > 16384 then
        return 'a constraint may have 16 KiB of text';
    end if;
    v_code := cmbs_store.value_fault(p_value);
    if v_code is not null then
        return case v_code
            when 'VALUE_NOT_JSON' then 'it is not JSON that can be read'
            when 'DUPLICATE_JSON_KEY' then 'it has a member twice'
            else 'it must be an object with the member v, which is 1'
        end;
    end if;
    v_value := p_value::jsonb;
    return case
        when v_value - array['v', 'effect', 'subject', 'when', 'on_fail', 'reason'] <> '{}'
            then 'it has members that are not known: ' || left((
                select string_agg(k.key, ', ' order by k.key collate "C")
                from jsonb_object_keys(
                    v_value - array['v', 'effect', 'subject', 'when', 'on_fail', 'reason']
                ) as k (key)
            ), 200)
        when coalesce(v_value -> 'effect' not in ('"allow"', '"deny"'), true)
            then 'effect must be allow or deny'
        when v_value -> 'on_fail' not in ('"block"', '"ask"', '"defer"')
            then 'on_fail must be block, ask or defer'
        when jsonb_typeof(v_value -> 'reason') <> 'string' or length(v_value ->> 'reason') > 500
            then 'reason must be a string of up to 500 characters'
        when p_key like 'constraint.invariant.%'
            and coalesce(v_value -> 'subject', 'null') <> 'null'
            then 'an invariant has no subject'
        when coalesce(v_value -> 'subject', 'null') <> 'null'
            and cmbs_store.subject_of(p_key, p_value) = '*'
            then 'subject must be null, or an object with tool_id or capability and a text'
    end;
end
$$;
