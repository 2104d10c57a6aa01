-- cmbs_store.id_fault
--
-- What is wrong with a JSON value that must be an id, null if nothing is.

create or replace function cmbs_store.id_fault(
    p_value jsonb
)
returns text
language sql
immutable
as $$
    select case
        when p_value is null then 'is missing'
        when jsonb_typeof(p_value) <> 'string'
            or octet_length(p_value #>> '{}') not between 1 and 512
        then 'must be text of 1 to 512 bytes'
    end
$$;
