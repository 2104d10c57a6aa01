-- cmbs.lint_policy
--
-- What is wrong with the entries of a pack, or probably not meant: of entries that are sent, or of
-- a version that is published.
--
-- Locks      nothing.
-- Raises     MB007 POLICY_NOT_FOUND, MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE,
--            MB302 FORBIDDEN.

create or replace function cmbs.lint_policy(
    p_pack text default null,
    p_version integer default null,
    p_entries json default null,
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
    return (
        select json_build_object(
            'n_errors', count(*) filter (where f.severity = 'error'),
            'n_warnings', count(*) filter (where f.severity = 'warning'),
            'findings', coalesce(json_agg(json_build_object(
                'key', f.key, 'severity', f.severity, 'finding', left(f.finding, 300)
            ) order by f.severity, f.key collate "C", f.finding collate "C"), '[]')
        )
        from cmbs_store.entry_faults(
            case
                when p_entries is null then cmbs_store.policy_entries(
                    (cmbs_store.find_policy(v_tenant, p_pack, p_version)).policy_hash
                )
                else cmbs_store.sent_entries(p_entries)
            end,
            v_tenant
        ) as f
    );
end
$$;

comment on function cmbs.lint_policy(text, integer, json, text, bytea) is
'What is wrong with the entries of a pack, or probably not meant. Raises MB007, MB201, MB203, '
'MB302.';

revoke all on function cmbs.lint_policy(text, integer, json, text, bytea) from public;
grant execute on function cmbs.lint_policy(text, integer, json, text, bytea)
to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
