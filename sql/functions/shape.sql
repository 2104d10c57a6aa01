-- cmbs_store.shape
--
-- The members of an object and their types, as text.

create or replace function cmbs_store.shape(
    p_object jsonb
)
returns text
language sql
immutable
as $$
    select string_agg(m.key || ' ' || jsonb_typeof(m.value), ', ' order by m.key collate "C")
    from jsonb_each(p_object) as m (key, value)
$$;

comment on function cmbs_store.shape(jsonb) is
'The members of an object and their types, as text.';

revoke all on function cmbs_store.shape(jsonb) from public;
