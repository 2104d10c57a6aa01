-- cmbs_store.is_free_object
--
-- Whether a recorded justification, context or metadata is one that a verb lets through: what
-- cmbs_store.free_object refuses in a message, a log cannot hold either.

create or replace function cmbs_store.is_free_object(
    p_object jsonb
)
returns boolean
language plpgsql
immutable
as $$
declare
    v_text text;
begin
    if p_object = '{}' then
        return true;
    end if;
    v_text := p_object::text;
    return octet_length(v_text) <= 1048576
        and not jsonb_path_exists(
            p_object, 'strict $.**{128} ? (@.type() == "object" || @.type() == "array")'
        )
        and not (
            position('"$redactable": ' in v_text) > 0
            and jsonb_path_exists(p_object, 'lax $.**."$redactable"')
        )
        -- A text without a run of digits holds no such number; 255 is the most that can be asked.
        and (
            v_text !~ '[0-9]{250}'
            or not exists (
                select
                from jsonb_array_elements(
                    jsonb_path_query_array(p_object, 'strict $.** ? (@.type() == "number")')
                ) as v (value)
                where abs(v.value::numeric) >= 1e1000 or scale(v.value::numeric) > 1000
            )
        );
end
$$;
