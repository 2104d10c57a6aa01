-- cmbs_store.shown_value
--
-- A value as a sentence shows it: cut short; in words where it is not there.

create or replace function cmbs_store.shown_value(
    p_value jsonb
)
returns text
language sql
immutable
as $$
    select case
        when p_value is null then 'is not there'
        when length(p_value::text) <= 60 then 'is ' || p_value::text
        else 'is ' || left(p_value::text, 57) || '...'
    end
$$;
