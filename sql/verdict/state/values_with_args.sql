-- cmbs_store.values_with_args
--
-- What constraints read, with the arguments and artifacts of a call.

create or replace function cmbs_store.values_with_args(
    p_values jsonb,
    p_item jsonb
)
returns jsonb
language sql
immutable
as $$
    select case
        when p_item ? 'artifacts' then p_values || jsonb_build_object(
            '$args', p_item -> 'args', '$artifacts', p_item -> 'artifacts'
        )
        when p_item ? 'args' then p_values || jsonb_build_object('$args', p_item -> 'args')
        else p_values
    end
$$;
