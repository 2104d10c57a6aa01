-- cmbs_store.constraints_on
--
-- The constraints of a policy with one of some subjects, in order. One whose text is not what it
-- was read from is malformed.

create or replace function cmbs_store.constraints_on(
    p_policy_hash bytea,
    p_subjects text[]
)
returns cmbs_store.policy_entry[]
language sql
stable
as $$
    select array(
        select row(
            e.policy_hash, e.key, e.value, e.value_hash, e.subject, e.effect, e.on_fail,
            e.condition, e.reads, e.schemas, e.reason,
            case
                when e.value_hash = cmbs_store.digest_v1(e.value) then e.fault
                else 'its text was changed after it was read'
            end
        )::cmbs_store.policy_entry
        from cmbs_store.policy_entry as e
        where e.policy_hash = p_policy_hash and e.subject = any(p_subjects)
        order by e.key
    )
$$;
