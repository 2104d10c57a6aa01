-- cmbs_store.login_principal
--
-- The principal that a login role is when nobody has made it one: its roles are those it was
-- granted in PostgreSQL, and it speaks for any source.
--
-- As `api` the server speaks for the one operator of an address that nobody else reaches, but not
-- about identities: the first of them are made where the database is. A transaction that keeps its
-- snapshot would not see that there are some, so there it is nobody.
--
-- Raises     MB301 UNAUTHENTICATED, MB302 FORBIDDEN.

create or replace function cmbs_store.login_principal()
returns cmbs_store.principal
language plpgsql
stable
as $$
declare
    v_caller cmbs_store.principal;
begin
    v_caller.name := session_user;
    v_caller.tenant := 'default';
    v_caller.roles := cmbs_store.login_roles(session_user);
    if pg_has_role(session_user, 'cmbs_owner', 'member') then
        v_caller.tenant := '*';
    elsif pg_has_role(session_user, 'cmbs_server', 'member') then
        if exists (select from cmbs_store.principal) then
            perform cmbs_store.refuse_credential('missing');
        elsif current_setting('transaction_isolation') <> 'read committed' then
            perform cmbs_store.refuse_caller(
                'without a token a server is answered only in transactions that are isolated as '
                'read committed'
            );
        end if;
        v_caller.tenant := '*';
        if session_user = 'cmbs_server' then
            v_caller.name := 'api';
            return v_caller;
        end if;
    end if;
    if session_user = 'api' then
        perform cmbs_store.refuse_caller('the name api is that of the server in the log');
    end if;
    return v_caller;
end
$$;
