-- cmbs.tenant
--
-- Whose sessions and spaces the caller sees: the name of a tenant, or `*` for those of all. The
-- views ask it once in each query, which may run in several workers.
--
-- Locks      nothing.
-- Raises     MB301 UNAUTHENTICATED, MB302 FORBIDDEN.

create or replace function cmbs.tenant(
    p_credential bytea default null
)
returns text
language plpgsql
stable
parallel safe
security definer
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'tenant', null);
begin
    return v_caller.tenant;
end
$$;

grant execute on function cmbs.tenant
to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor, cmbs_analyst, cmbs_admin, cmbs_owner;
