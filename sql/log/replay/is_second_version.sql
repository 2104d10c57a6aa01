-- cmbs_store.is_second_version
--
-- Whether what verdicts have since there are permits is of the right types, or not there at all as
-- in those from before.

create or replace function cmbs_store.is_second_version(
    p_shape jsonb
)
returns boolean
language sql
immutable
as $$
    select case
        when p_shape ? 'v' then p_shape ->> 'v' = 'number'
            and coalesce(p_shape ->> 'is_full', 'boolean') = 'boolean'
            and coalesce(p_shape ->> 'resumes', 'object') = 'object'
            and coalesce(p_shape ->> 'retries', 'object') = 'object'
            and coalesce(p_shape ->> 'deferral', 'object') = 'object'
            and coalesce(p_shape ->> 'shadow', 'object') = 'object'
        else not p_shape ?| '{is_full, resumes, retries, deferral, shadow}'
    end
$$;

comment on function cmbs_store.is_second_version(jsonb) is
'Whether what verdicts have since there are permits is of the right types.';

revoke all on function cmbs_store.is_second_version(jsonb) from public;
