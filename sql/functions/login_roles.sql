-- cmbs_store.login_roles
--
-- The roles that a login has which nobody registered, as cmbs_store.login_itself gives them to who
-- calls; none if there is no such login.

create or replace function cmbs_store.login_roles(
    p_name text
)
returns jsonb
language sql
stable
as $$
    select case
        when p_name = 'api' then case
            when exists (select from cmbs_store.principal) then '[]'
            else '["agent", "approver", "auditor", "encoder", "policy", "tool"]'
        end
        when not exists (select from pg_roles as r where r.rolname = p_name) then '[]'
        when pg_has_role(p_name, 'cmbs_owner', 'member')
            then '["admin", "agent", "approver", "auditor", "encoder", "policy", "tool"]'
        when pg_has_role(p_name, 'cmbs_server', 'member') then case
            when exists (select from cmbs_store.principal) then '[]'
            else '["agent", "auditor", "encoder", "tool"]'
        end
        else to_json(array(
            select g.role collate "C"
            from (
                values
                ('agent', 'cmbs_agent'), ('encoder', 'cmbs_agent'), ('tool', 'cmbs_agent'),
                ('policy', 'cmbs_policy'), ('auditor', 'cmbs_auditor'), ('admin', 'cmbs_admin')
            ) as g (role, of_login)
            where pg_has_role(p_name, g.of_login, 'member')
            order by 1
        ))::text
    end::jsonb
$$;

comment on function cmbs_store.login_roles(text) is
'The roles of a login that nobody registered, by its name.';

revoke all on function cmbs_store.login_roles(text) from public;
