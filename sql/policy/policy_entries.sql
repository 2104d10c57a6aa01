-- cmbs_store.policy_entries
--
-- The entries of a policy, as they are hashed: key -> text of the value.

create or replace function cmbs_store.policy_entries(
    p_policy_hash bytea
)
returns jsonb
language sql
stable
as $$
    select coalesce(jsonb_object_agg(e.key, e.value), '{}')
    from cmbs_store.policy_entry as e
    where e.policy_hash = p_policy_hash
$$;
