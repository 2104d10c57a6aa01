-- cmbs_store.check_capability_holder
--
-- Refuses a caller who neither holds a token, or one that it was made from, nor has the policy
-- role.
--
-- Raises     MB302 FORBIDDEN.

create or replace function cmbs_store.check_capability_holder(
    p_caller cmbs_store.principal,
    p_capability cmbs_store.capability_token
)
returns void
language plpgsql
stable
as $$
begin
    if 'policy' <> all(p_caller.roles) and not exists (
        select
        from cmbs_store.capability_token as t
        where t.session_id = p_capability.session_id
            and t.token_id = any(p_capability.chain)
            and t.holder = p_caller.name
    ) then
        perform cmbs_store.refuse_caller(
            'only the holder of a capability token, or the policy role, may do this with it'
        );
    end if;
end
$$;
