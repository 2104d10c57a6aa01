-- cmbs.create_principal
--
-- Makes a principal: somebody who may call, with what roles and for which sources. The first one
-- ends that the server answers callers without a token.
--
-- p_is_login it stands for a role of PostgreSQL of this name; only who sees every tenant makes one.
-- Promises   one event in the log of identities; the same again is a repeat.
-- Locks      new names, and the log of identities of the tenant.
-- Raises     MB102 CONFLICT, MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE, MB302 FORBIDDEN.

create or replace function cmbs.create_principal(
    p_name text,
    p_kind text,
    p_roles text[],
    p_source_prefixes text[] default '{}',
    p_tenant text default null,
    p_is_login boolean default false,
    p_credential bytea default null
)
returns json
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'create_principal', '{admin}'
    );
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
    v_principal cmbs_store.principal;
    v_found cmbs_store.principal;
begin
    if coalesce(p_kind, '') not in ('agent', 'encoder', 'tool', 'human', 'service') then
        perform cmbs_store.refuse_request(
            'kind', 'must be agent, encoder, tool, human or service'
        );
    end if;
    perform cmbs_store.check_label('name', p_name);
    perform cmbs_store.check_rights(coalesce(p_roles, '{}'), p_source_prefixes);
    if p_is_login and v_caller.tenant <> '*' then
        perform cmbs_store.refuse_caller(
            'only a principal of every tenant makes those of logins, made with --tenant ''*'''
        );
    end if;
    v_principal.name := p_name;
    v_principal.tenant := v_tenant;
    v_principal.kind := p_kind;
    v_principal.is_login := coalesce(p_is_login, false);
    v_principal.roles := cmbs_store.sorted_set(p_roles);
    v_principal.source_prefixes := cmbs_store.sorted_set(coalesce(p_source_prefixes, '{}'));
    v_principal.is_enabled := true;
    perform cmbs_store.lock_identities('*');
    perform cmbs_store.lock_identities(v_tenant);
    -- Who was shut out while this waited may change nothing any more.
    perform cmbs_store.authorize(p_credential, 'create_principal', '{admin}');
    select p.*
    into v_found
    from cmbs_store.principal as p
    where p.name = p_name and p.tenant = v_tenant;
    v_principal.created_at := v_found.created_at;
    if v_found is distinct from v_principal then
        if v_found.name is not null then
            perform cmbs_store.refuse_name(p_name, 'another principal has it');
        end if;
        perform cmbs_store.check_name(v_caller, p_name, v_tenant, v_principal.is_login);
        v_principal.created_at := cmbs_store.append_identity(
            v_tenant, 'CREATE_PRINCIPAL', v_caller.name,
            cmbs_store.principal_json(v_principal) - array['tenant', 'created_at', 'is_enabled']
        );
        insert into cmbs_store.principal (
            name, tenant, kind, is_login, created_at, roles, source_prefixes, is_enabled
        )
        values (
            p_name, v_tenant, p_kind, v_principal.is_login, v_principal.created_at,
            v_principal.roles, v_principal.source_prefixes, true
        );
    end if;
    return cmbs_store.principal_json(v_principal)
        || jsonb_build_object('duplicate', v_found.name is not null);
end
$$;

grant execute on function cmbs.create_principal to cmbs_server, cmbs_admin, cmbs_owner;
