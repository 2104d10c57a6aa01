-- cmbs.read_principal
--
-- A principal, by its name, with what it may.
--
-- p_tenant   its tenant; null: where the caller is at home.
-- Locks      nothing.
-- Raises     MB005 PRINCIPAL_NOT_FOUND, MB201 INVALID_REQUEST, MB302 FORBIDDEN.

create or replace function cmbs.read_principal(
    p_name text,
    p_tenant text default null,
    p_credential bytea default null
)
returns json
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'read_principal', '{admin, auditor}'
    );
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
begin
    return cmbs_store.principal_json(cmbs_store.find_principal(p_name, v_tenant));
end
$$;

grant execute on function cmbs.read_principal to cmbs_server, cmbs_admin, cmbs_auditor, cmbs_owner;
