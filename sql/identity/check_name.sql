-- cmbs_store.check_name
--
-- Refuses a name that would leave it open who an actor in a log was: one that stands for the server
-- or our roles, that of a role of PostgreSQL for somebody with tokens, or one that is used where
-- its bearer may act too. Which of them it is, only who sees every tenant may know.
--
-- Raises     MB102 CONFLICT.

create or replace function cmbs_store.check_name(
    p_caller cmbs_store.principal,
    p_name text,
    p_tenant text,
    p_is_login boolean
)
returns void
language plpgsql
stable
as $$
declare
    v_problem text;
begin
    if p_name ~ '^(cmbs|pg_)' or p_name in ('api', 'public', 'none', '*') then
        v_problem := 'the name is reserved';
    elsif p_is_login <> exists (select from pg_roles as r where r.rolname = p_name) then
        v_problem := case
            when p_is_login then 'there is no such role of PostgreSQL'
            else 'a role of PostgreSQL has it'
        end;
    elsif exists (
        select
        from cmbs_store.principal as p
        where p.name = p_name and (p.tenant = '*' or p_tenant = '*' or p_is_login)
    ) then
        v_problem := 'another principal has it';
    end if;
    if v_problem is not null then
        perform cmbs_store.refuse_name(
            p_name,
            case when p_caller.tenant = '*' then v_problem else 'the name cannot be used here' end
        );
    end if;
end
$$;
