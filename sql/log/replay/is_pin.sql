-- cmbs_store.is_pin
--
-- Whether something names a version of a policy pack with its hash, and perhaps another one that is
-- asked beside it.

create or replace function cmbs_store.is_pin(
    p_pin jsonb
)
returns boolean
language sql
immutable
as $$
    select cmbs_store.member_types(p_pin - 'shadow') = v.shape and (
        not p_pin ? 'shadow' or cmbs_store.member_types(p_pin -> 'shadow') = v.shape
    )
    from (
        values ('{"pack": "string", "policy_hash": "string", "version": "number"}'::jsonb)
    ) as v (shape)
$$;
