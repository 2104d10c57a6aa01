-- cmbs_store.member_types
--
-- The members of an object with their types for values.

create or replace function cmbs_store.member_types(
    p_object jsonb
)
returns jsonb
language sql
immutable
as $$
    select jsonb_object_agg(m.key, jsonb_typeof(m.value))
    from jsonb_each(p_object) as m (key, value)
$$;
