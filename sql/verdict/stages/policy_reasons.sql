-- cmbs_store.policy_reasons
--
-- Whether there is a policy to decide by.

create or replace function cmbs_store.policy_reasons(
    p_policy cmbs_store.policy
)
returns cmbs_store.reason[]
language sql
immutable
as $$
    select case
        when p_policy.policy_hash is not null then '{}'
        else array[(
            null, 'session', 'POLICY_UNAVAILABLE', null, 'block',
            'the content of the policy is not in this database'
        )::cmbs_store.reason]
    end
$$;
