-- cmbs.lint_published_policy
--
-- What is wrong in a version of a policy pack, or probably not meant; in the newest where none is
-- named.
--
-- Locks      nothing.
-- Raises     MB007 POLICY_NOT_FOUND, MB201 INVALID_REQUEST, MB302 FORBIDDEN.

create or replace function cmbs.lint_published_policy(
    p_pack text,
    p_version integer default null,
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
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'lint_published_policy', null
    );
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
begin
    return cmbs_store.lint(v_tenant, cmbs_store.policy_entries(
        (cmbs_store.find_policy(v_tenant, p_pack, p_version)).policy_hash
    ));
end
$$;

grant execute on function cmbs.lint_published_policy
to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
