-- cmbs_store.check_name
--
-- Refuses a name that would leave it open who an actor in a log was: one that stands for the server
-- or our roles, that of a role of PostgreSQL for somebody with tokens, or one that is used where
-- its bearer may act too.
--
-- Raises     MB102 CONFLICT, MB201 INVALID_REQUEST.

create or replace function cmbs_store.check_name(
    p_name text,
    p_tenant text,
    p_is_login boolean
)
returns void
language plpgsql
stable
as $$
begin
    perform cmbs_store.check_id('name', p_name, 128);
    if p_name ~ '^(cmbs|pg_)' or p_name in ('api', 'public', 'none', '*') then
        perform cmbs_store.refuse_name(p_name, 'the name is reserved');
    elsif p_is_login <> exists (select from pg_roles as r where r.rolname = p_name) then
        perform cmbs_store.refuse_name(
            p_name,
            case when p_is_login then 'there is no such role of PostgreSQL'
                else 'a role of PostgreSQL has it' end
        );
    elsif exists (
        select
        from cmbs_store.principal as p
        where p.name = p_name and (p.tenant = '*' or p_tenant = '*' or p_is_login)
    ) then
        perform cmbs_store.refuse_name(p_name, 'another principal has it');
    end if;
end
$$;

comment on function cmbs_store.check_name(text, text, boolean) is
'Refuse a name that a new principal cannot have. Raises MB102, MB201.';

revoke all on function cmbs_store.check_name(text, text, boolean) from public;
