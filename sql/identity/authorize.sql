-- cmbs_store.authorize
--
-- Who calls, and whether they may: the first thing that every verb does.
--
-- A credential says who calls, else the login role does: neither is a caller's to choose. A login
-- that nobody registered is a principal all the same, in the tenant `default`, and may what its
-- role was granted; whoever may act as cmbs_owner sees every tenant, for which `*` stands. The
-- server's login is nobody by itself: it counts as `api` while there is no principal at all.
--
-- A transaction that keeps its snapshot keeps what a registered login was when it began, so there
-- it may only read, which it could have done then.
--
-- p_roles    one of these is needed; null: any will do but monitor, which reads metrics and
--            nothing else, save who it is itself.
-- Promises   the principal; its tenant is the one whose sessions it may see, `*` for all of them.
-- Raises     MB301 UNAUTHENTICATED, MB302 FORBIDDEN.

create or replace function cmbs_store.authorize(
    p_credential bytea,
    p_verb text,
    p_roles text[]
)
returns cmbs_store.principal
language plpgsql
stable
as $$
declare
    v_caller cmbs_store.principal;
begin
    if p_credential is not null then
        v_caller := cmbs_store.authenticate_token(p_credential, p_verb);
    else
        select p.*
        into v_caller
        from cmbs_store.principal as p
        where p.name = session_user
        order by p.is_login desc
        limit 1;
        if not found then
            v_caller := cmbs_store.login_principal();
        elsif not v_caller.is_login then
            v_caller := cmbs_store.login_principal();
            perform cmbs_store.check_namesake(v_caller);
        elsif not v_caller.is_enabled then
            perform cmbs_store.refuse_caller('the principal is disabled');
        elsif current_setting('transaction_isolation') <> 'read committed'
            and current_setting('transaction_read_only') = 'off'
        then
            perform cmbs_store.refuse_caller(
                'a registered login writes only where transactions are isolated as read committed'
            );
        end if;
    end if;
    if not coalesce(
        v_caller.roles && p_roles, v_caller.roles <> '{monitor}' or p_verb = 'identify'
    ) then
        -- An owner has every role but that one.
        perform cmbs_store.refuse_role(
            v_caller, p_verb, coalesce(p_roles, cmbs_store.login_roles('cmbs_owner'))
        );
    end if;
    return v_caller;
end
$$;
