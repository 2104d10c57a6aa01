-- cmbs_store.check_forced_termination
--
-- Refuses a declared policy that allows forced termination, unless the caller is of the policy
-- role. As long as there is no principal at all, anybody may declare it.
--
-- Raises     MB302 FORBIDDEN.

create or replace function cmbs_store.check_forced_termination(
    p_caller cmbs_store.principal,
    p_policy jsonb
)
returns void
language plpgsql
stable
as $$
begin
    if p_policy -> 'allow_forced_termination' = 'true'
        and 'policy' <> all(p_caller.roles)
        and exists (select from cmbs_store.principal)
    then
        perform cmbs_store.refuse_role(p_caller, 'declare_session', '{policy}');
    end if;
end
$$;
