-- cmbs.lint_policy
--
-- What would be wrong with entries if they were published, or probably not meant.
--
-- Locks      nothing.
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE, MB302 FORBIDDEN.

create or replace function cmbs.lint_policy(
    p_entries json,
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
set jit = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'lint_policy', null);
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
begin
    return cmbs_store.lint(v_tenant, cmbs_store.sent_entries(p_entries));
end
$$;

grant execute on function cmbs.lint_policy to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
