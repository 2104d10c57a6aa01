-- cmbs_store.authorize_upkeep
--
-- Who does what is due anyway and decides nothing: a principal with one of the roles, or the login
-- of the server by itself, which is `api` then, whoever else there is.
--
-- Raises     MB301 UNAUTHENTICATED, MB302 FORBIDDEN.

create or replace function cmbs_store.authorize_upkeep(
    p_credential bytea,
    p_verb text,
    p_roles text[]
)
returns cmbs_store.principal
language plpgsql
stable
as $$
declare
    v_server cmbs_store.principal;
begin
    if p_credential is null and pg_has_role(session_user, 'cmbs_server', 'member')
        and not pg_has_role(session_user, 'cmbs_owner', 'member')
    then
        v_server.name := 'api';
        v_server.tenant := '*';
        v_server.roles := p_roles;
        return v_server;
    end if;
    return cmbs_store.authorize(p_credential, p_verb, p_roles);
end
$$;
