-- cmbs_store.store_policy
--
-- Stores the content of a policy, if it is new, and returns its hash, by which it is addressed.
-- Constraints are read here, once; what is malformed is stored as that, and denies.
--
-- p_entries   key -> text of the value

create or replace function cmbs_store.store_policy(
    p_entries jsonb
)
returns bytea
language plpgsql
volatile
as $$
declare
    v_hash bytea := cmbs_store.digest_v1(p_entries::text);
begin
    insert into cmbs_store.policy (policy_hash, n_entries, settings, missing_constraints)
    select
        v_hash,
        count(*),
        coalesce(
            jsonb_object_agg(e.key, cmbs_store.readable_value(e.value))
                filter (where e.key like 'policy.%'),
            '{}'
        ),
        cmbs_store.missing_constraints(p_entries)
    from jsonb_each_text(p_entries) as e (key, value)
    on conflict (policy_hash) do nothing;
    if found then
        insert into cmbs_store.policy_entry
        select p.*
        from jsonb_each_text(p_entries) as e (key, value)
        cross join lateral cmbs_store.parsed_entry(v_hash, e.key, e.value) as p;
    end if;
    return v_hash;
end
$$;
