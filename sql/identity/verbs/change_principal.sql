-- cmbs.change_principal
--
-- Changes what a principal may, or whether it may anything; what is left out stays. It counts from
-- the next call on. Principals are never removed: logs name them.
--
-- Promises   one event in the log of identities, unless nothing changes: that is a repeat.
-- Locks      the log of identities of the tenant.
-- Raises     MB005 PRINCIPAL_NOT_FOUND, MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE,
--            MB302 FORBIDDEN.

create or replace function cmbs.change_principal(
    p_name text,
    p_roles text[] default null,
    p_source_prefixes text[] default null,
    p_is_enabled boolean default null,
    p_tenant text default null,
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
        p_credential, 'change_principal', '{admin}'
    );
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
    v_found cmbs_store.principal;
    v_principal cmbs_store.principal;
begin
    perform cmbs_store.check_rights(p_roles, p_source_prefixes);
    perform cmbs_store.lock_identities(v_tenant);
    -- Who was shut out while this waited may change nothing any more.
    perform cmbs_store.authorize(p_credential, 'change_principal', '{admin}');
    v_found := cmbs_store.find_principal(p_name, v_tenant);
    v_principal := v_found;
    v_principal.roles := coalesce(cmbs_store.sorted_set(p_roles), v_found.roles);
    v_principal.source_prefixes := coalesce(
        cmbs_store.sorted_set(p_source_prefixes), v_found.source_prefixes
    );
    v_principal.is_enabled := coalesce(p_is_enabled, v_found.is_enabled);
    if v_principal is distinct from v_found then
        perform cmbs_store.append_identity(
            v_tenant, 'CHANGE_PRINCIPAL', v_caller.name,
            cmbs_store.principal_json(v_principal)
            - array['tenant', 'created_at', 'kind', 'is_login']
        );
        update cmbs_store.principal as p
        set
            roles = v_principal.roles,
            source_prefixes = v_principal.source_prefixes,
            is_enabled = v_principal.is_enabled
        where p.name = p_name and p.tenant = v_tenant;
    end if;
    return cmbs_store.principal_json(v_principal)
        || jsonb_build_object('duplicate', v_principal is not distinct from v_found);
end
$$;

grant execute on function cmbs.change_principal to cmbs_server, cmbs_admin, cmbs_owner;
