-- cmbs_store.is_policy_whole
--
-- Whether the stored content of a policy is that of its hash, and what was read out of its entries
-- what their texts say; compared as text, because numbers are equal whatever zeros they end in.

create or replace function cmbs_store.is_policy_whole(
    p_policy_hash bytea
)
returns boolean
language sql
stable
as $$
    select p_policy_hash = cmbs_store.digest_v1(cmbs_store.policy_entries(p_policy_hash)::text)
        and exists (
            select
            from cmbs_store.policy as p
            where p.policy_hash = p_policy_hash
                and p.n_entries = (
                    select count(*)
                    from cmbs_store.policy_entry as e
                    where e.policy_hash = p_policy_hash
                )
                and p.missing_constraints = cmbs_store.missing_constraints(
                    cmbs_store.policy_entries(p_policy_hash)
                )
                and p.settings::text = coalesce(
                    (
                        select jsonb_object_agg(e.key, cmbs_store.readable_value(e.value))
                        from cmbs_store.policy_entry as e
                        where e.policy_hash = p_policy_hash and e.key like 'policy.%'
                    ),
                    '{}'
                )::text
        )
        and not exists (
            select
            from cmbs_store.policy_entry as e
            where e.policy_hash = p_policy_hash
                and e::text <> cmbs_store.parsed_entry(e.policy_hash, e.key, e.value)::text
        )
$$;
