-- Roles and schemas: the ground that migrations and functions stand on.
--
-- Roles belong to the cluster and may be there already, from another database or a restored one;
-- the schemas are here because the revision table of the migrations lives in one of them.
-- Run by a superuser, or by a role with CREATEROLE that owns the database.
--
-- cmbs_owner    owns schemas and tables; migrations run as it
-- cmbs_kernel   owns the functions; may read and append, and update the state of a session
-- cmbs_agent    may call the verbs of an agent
-- cmbs_policy   may waive obligations and change defaults
-- cmbs_auditor  may read, through verbs and views, and verify
-- cmbs_analyst  may read views, and verify; cmbs.add_analyst makes logins of it
-- cmbs_admin    may make and change principals and tokens
-- cmbs_server   the HTTP server's login: may call every verb, and read nothing else

do $$
declare
    v_role text;
    v_may_set text;
begin
    -- This file may be run by itself, so it does not rely on the search path of who runs it.
    perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
    if getdatabaseencoding() <> 'UTF8' then
        raise exception using
            errcode = 'feature_not_supported',
            message = 'The database must have the encoding UTF8.',
            detail = json_build_object('encoding', getdatabaseencoding())::text;
    end if;
    v_may_set := case
        when current_setting('server_version_num')::integer >= 160000 then 'set' else 'member'
    end;
    foreach v_role in array array[
        'cmbs_owner', 'cmbs_kernel', 'cmbs_agent', 'cmbs_policy', 'cmbs_auditor', 'cmbs_analyst',
        'cmbs_admin'
    ]
    loop
        if to_regrole(v_role) is null then
            execute format('create role %I nologin', v_role);
        end if;
    end loop;
    if to_regrole('cmbs_server') is null then
        create role cmbs_server login;
    end if;
    -- Only if they differ: two databases of a cluster may be deployed to at the same time.
    if not exists (
        select
        from pg_db_role_setting as s
        where s.setrole = 'cmbs_server'::regrole
            and s.setdatabase = 0
            and s.setconfig @> array[
                'statement_timeout=30s',
                'lock_timeout=10s',
                'idle_in_transaction_session_timeout=10s'
            ]
    ) then
        alter role cmbs_server set statement_timeout = '30s';
        alter role cmbs_server set lock_timeout = '10s';
        alter role cmbs_server set idle_in_transaction_session_timeout = '10s';
    end if;
    -- Refusals are answers, and no errors of the server: cmbs_store.refuse does not log them.
    if (select r.rolsuper from pg_roles as r where r.rolname = current_user)
        and not has_parameter_privilege('cmbs_kernel', 'log_min_messages', 'set')
    then
        grant set on parameter log_min_messages to cmbs_kernel;
    end if;
    -- A superuser may act as anybody, others once an administrator or this script has granted it.
    if not pg_has_role('cmbs_owner', v_may_set) or not pg_has_role('cmbs_kernel', v_may_set) then
        execute format('grant cmbs_owner, cmbs_kernel to %I', current_user);
    end if;
    execute format('grant create on database %I to cmbs_owner', current_database());
    -- No verb needs temporary tables, and whoever may only read should not fill a disk with them.
    execute format('revoke temporary on database %I from public', current_database());
    if to_regnamespace('cmbs') is null then
        create schema cmbs authorization cmbs_owner;
    end if;
    if to_regnamespace('cmbs_store') is null then
        create schema cmbs_store authorization cmbs_owner;
    end if;
end
$$;
