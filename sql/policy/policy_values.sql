-- cmbs_store.policy_values
--
-- Those of the given keys that a policy has.

create or replace function cmbs_store.policy_values(
    p_policy_hash bytea,
    p_keys text[]
)
returns jsonb
language sql
stable
as $$
    select coalesce(
        jsonb_object_agg(
            e.key, jsonb_build_object('value', cmbs_store.readable_value(e.value))
        ),
        '{}'
    )
    from cmbs_store.policy_entry as e
    where e.policy_hash = p_policy_hash and e.key = any(p_keys) and e.key like 'policy.%'
$$;
