-- cmbs_store.max_attempts
--
-- How often a deferred proposal is tried again before it is denied for good.

create or replace function cmbs_store.max_attempts(
    p_settings jsonb
)
returns integer
language sql
immutable
as $$
    select coalesce((p_settings -> 'policy.deferrals' ->> 'max_attempts')::integer, 5)
$$;

comment on function cmbs_store.max_attempts(jsonb) is
'How often a deferred proposal is tried again.';

revoke all on function cmbs_store.max_attempts(jsonb) from public;
