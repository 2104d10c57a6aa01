-- cmbs_store.world_of_call
--
-- What constraints read, with the arguments and artifacts of a call.

create or replace function cmbs_store.world_of_call(
    p_world jsonb,
    p_item jsonb
)
returns jsonb
language sql
immutable
as $$
    select case
        when p_item ? 'artifacts' then p_world || jsonb_build_object(
            '$args', p_item -> 'args', '$artifacts', p_item -> 'artifacts'
        )
        when p_item ? 'args' then p_world || jsonb_build_object('$args', p_item -> 'args')
        else p_world
    end
$$;

comment on function cmbs_store.world_of_call(jsonb, jsonb) is
'What constraints read, with the arguments and artifacts of a call.';

revoke all on function cmbs_store.world_of_call(jsonb, jsonb) from public;
