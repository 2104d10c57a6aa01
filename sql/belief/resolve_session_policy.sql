-- cmbs_store.resolve_session_policy
--
-- A policy with what was not given filled in from the defaults of a tenant; one that has none of
-- its own has those of `*`.
--
-- Raises     MB201 INVALID_REQUEST.

create or replace function cmbs_store.resolve_session_policy(
    p_tenant text,
    p_policy jsonb
)
returns cmbs_store.policy_default
language plpgsql
stable
as $$
declare
    v_policy cmbs_store.policy_default;
begin
    perform cmbs_store.check_members(
        'policy', p_policy,
        array['validate_hypotheses', 'allow_forced_termination', 'stability_window']
    );
    select d.* into strict v_policy
    from cmbs_store.policy_default as d
    where d.tenant in (p_tenant, '*')
    order by d.tenant <> '*' desc, d.default_no desc
    limit 1;
    if not coalesce(jsonb_typeof(p_policy -> 'validate_hypotheses') = 'boolean', true) then
        perform cmbs_store.refuse_request('policy.validate_hypotheses', 'must be true or false');
    elsif not coalesce(jsonb_typeof(p_policy -> 'allow_forced_termination') = 'boolean', true) then
        perform cmbs_store.refuse_request(
            'policy.allow_forced_termination', 'must be true or false'
        );
    elsif not coalesce(p_policy ->> 'stability_window' ~ '^[0-9]{1,4}$', true)
        or coalesce(jsonb_typeof(p_policy -> 'stability_window'), 'number') <> 'number'
        or (p_policy ->> 'stability_window')::integer > 1000
    then
        perform cmbs_store.refuse_request(
            'policy.stability_window', 'must be a whole number from 0 to 1000'
        );
    end if;
    v_policy.validate_hypotheses := coalesce(
        (p_policy ->> 'validate_hypotheses')::boolean, v_policy.validate_hypotheses
    );
    v_policy.allow_forced_termination := coalesce(
        (p_policy ->> 'allow_forced_termination')::boolean, v_policy.allow_forced_termination
    );
    v_policy.stability_window := coalesce(
        (p_policy ->> 'stability_window')::integer, v_policy.stability_window
    );
    return v_policy;
end
$$;
