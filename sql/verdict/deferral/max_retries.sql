-- cmbs_store.max_retries
--
-- How often a deferred proposal is tried again before it is denied for good.

create or replace function cmbs_store.max_retries(
    p_settings jsonb
)
returns integer
language sql
immutable
as $$
    select coalesce((p_settings -> 'policy.deferrals' ->> 'max_attempts')::integer, 5)
$$;
