-- cmbs_store.login_roles
--
-- The roles that a login has by what it was granted in PostgreSQL, when nobody registered it.

create or replace function cmbs_store.login_roles(
    p_login name
)
returns text[]
language sql
stable
as $$
    select case
        when pg_has_role(p_login, 'cmbs_owner', 'member')
            then '{agent, encoder, tool, policy, approver, auditor, admin}'
        when p_login = 'cmbs_server' then '{agent, encoder, tool, policy, approver, auditor}'
        when pg_has_role(p_login, 'cmbs_server', 'member') then '{agent, encoder, tool, auditor}'
        else array(
            select g.role
            from (
                values
                (1, 'agent', 'cmbs_agent'), (2, 'encoder', 'cmbs_agent'),
                (3, 'tool', 'cmbs_agent'), (4, 'policy', 'cmbs_policy'),
                (5, 'auditor', 'cmbs_auditor'), (6, 'admin', 'cmbs_admin')
            ) as g (no, role, granted)
            where pg_has_role(p_login, g.granted, 'member')
            order by g.no
        )
    end
$$;
