-- cmbs.set_policy_defaults
--
-- Changes what DECLARE_SESSION fills in for policy members that are not given. For the policy role
-- only.
--
-- Promises   members that are left out stay as they are; sessions that exist are not touched;
--            earlier defaults stay on record.
-- Locks      nothing; of two callers at once the later one builds on the earlier.
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE, MB302 FORBIDDEN.

create or replace function cmbs.set_policy_defaults(
    p_policy json,
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
        p_credential, 'set_policy_defaults', '{policy}'
    );
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
    v_policy cmbs_store.policy_default;
begin
    if p_policy is null then
        perform cmbs_store.refuse_request('policy', 'must be a JSON object');
    end if;
    loop
        v_policy := cmbs_store.resolve_session_policy(
            v_tenant, cmbs_store.free_object('policy', p_policy)::jsonb
        );
        insert into cmbs_store.policy_default (
            tenant, default_no, validate_hypotheses, allow_forced_termination, stability_window,
            set_at, set_by
        )
        values (
            v_tenant, v_policy.default_no + 1, v_policy.validate_hypotheses,
            v_policy.allow_forced_termination, v_policy.stability_window,
            cmbs_store.clock(), v_caller.name
        )
        on conflict (tenant, default_no) do nothing;
        exit when found;
    end loop;
    return json_build_object(
        'stability_window', v_policy.stability_window,
        'validate_hypotheses', v_policy.validate_hypotheses,
        'allow_forced_termination', v_policy.allow_forced_termination
    );
end
$$;

grant execute on function cmbs.set_policy_defaults to cmbs_server, cmbs_policy;
