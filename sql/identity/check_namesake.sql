-- cmbs_store.check_namesake
--
-- Refuses a login that would be taken for somebody else in a log: a principal with tokens has its
-- name, and may write where the login may.
--
-- Raises     MB302 FORBIDDEN.

create or replace function cmbs_store.check_namesake(
    p_caller cmbs_store.principal
)
returns void
language plpgsql
stable
as $$
begin
    if exists (
        select
        from cmbs_store.principal as p
        where p.name = p_caller.name
            and not p.is_login
            and (p.tenant in ('*', p_caller.tenant) or p_caller.tenant = '*')
    ) then
        perform cmbs_store.refuse_caller(
            'the name of this login is that of a principal with tokens'
        );
    end if;
end
$$;
