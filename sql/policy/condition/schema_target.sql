-- cmbs_store.schema_target
--
-- What a schema is held against: the arguments of the call, an artifact of it, or what a path leads
-- to; null if it is not there.

create or replace function cmbs_store.schema_target(
    p_values jsonb,
    p_target text
)
returns jsonb
language sql
immutable
as $$
    select case
        when coalesce(p_target, 'args') = 'args' then p_values -> '$args'
        when starts_with(p_target, 'artifact:')
            then p_values -> '$artifacts' -> substr(p_target, 10)
        else (cmbs_store.value_at_path(p_values, p_target)).p_value
    end
$$;
