-- cmbs.add_analyst
--
-- Makes a login for an analyst: it reads the views, verifies, and may nothing else.
--
-- Runs with the rights of its caller, who must be a superuser, or have CREATEROLE, ADMIN on
-- cmbs_analyst and be of cmbs_owner. The password comes as a SCRAM verifier, computed by the
-- caller, so that no log can hold it; without one, only a server that asks for none lets it in.
--
-- What keeps an analyst from writing is that no privilege says otherwise. The settings keep the
-- server from a query that got out of hand; all but temp_file_limit are the analyst's to change.
--
-- Promises   the login is a member of cmbs_analyst and of nothing else.
-- Locks      nothing.
-- Raises     42602 invalid_name, 42939 reserved_name, 42710 duplicate_object,
--            28P01 invalid_password.

create or replace function cmbs.add_analyst(
    p_name text,
    p_verifier text default null
)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
    v_setting text;
    v_settings text[] := array[
        'default_transaction_read_only = on',
        'statement_timeout = ''15min''',
        'lock_timeout = ''10s''',
        'idle_in_transaction_session_timeout = ''5min''',
        'idle_session_timeout = ''8h'''
    ];
begin
    if coalesce(octet_length(p_name), 0) not between 1 and 63 then
        raise exception using
            errcode = 'invalid_name',
            message = 'The name of a login has 1 to 63 bytes.',
            detail = json_build_object('bytes', octet_length(p_name))::text;
    end if;
    if p_name ~ '^(pg_|cmbs_)' or p_name in ('api', 'public', 'none') then
        raise exception using
            errcode = 'reserved_name',
            message = 'This name is reserved.',
            detail = json_build_object('name', p_name)::text;
    end if;
    if p_verifier !~ '^SCRAM-SHA-256\$\d+:[A-Za-z0-9+/=]+\$[A-Za-z0-9+/=]+:[A-Za-z0-9+/=]+$' then
        raise exception using
            errcode = 'invalid_password',
            message = 'The password must come as a SCRAM-SHA-256 verifier.',
            detail = json_build_object('name', p_name)::text,
            hint = 'The command cmbs analyst add computes one, and so does \password of psql.';
    end if;
    if exists (select from pg_roles as r where r.rolname = p_name) then
        raise exception using
            errcode = 'duplicate_object',
            message = 'A role of this name is there already.',
            detail = json_build_object('name', p_name)::text;
    end if;
    execute format('create role %I login connection limit 4 in role cmbs_analyst', p_name)
        || coalesce(format(' password %L', p_verifier), '');
    if has_parameter_privilege(current_user, 'temp_file_limit', 'set') then
        v_settings := array_append(v_settings, 'temp_file_limit = ''20GB''');
    end if;
    foreach v_setting in array v_settings loop
        execute format('alter role %I set ', p_name) || v_setting;
    end loop;
end
$$;
