-- cmbs_store.recheck_permit
--
-- What stands against a permitted call by all that has changed since it was allowed; what is
-- waived stays so while the constraint is what it was. Budget and cooldown are not asked: it has
-- both.
--
-- p_items    the call alone

create or replace function cmbs_store.recheck_permit(
    p_session cmbs_store.session,
    p_permit cmbs_store.permit,
    p_capability cmbs_store.capability_token,
    p_items jsonb,
    p_given cmbs_store.verdict_input,
    p_recorded jsonb,
    out p_reasons cmbs_store.reason[],
    out p_basis jsonb
)
returns record
language plpgsql
stable
as $$
declare
    v_pin cmbs_store.policy_pin := cmbs_store.policy_in_force(p_session);
    v_policy cmbs_store.policy;
    v_evidence cmbs_store.evidence;
begin
    -- It had its key when it was allowed.
    p_given.proposal := '{"idempotency_key": ""}';
    select p.* into v_policy from cmbs_store.policy as p where p.policy_hash = v_pin.policy_hash;
    v_evidence := cmbs_store.evidence(
        p_session, v_pin.policy_hash, p_permit.actor, p_items, p_recorded
    );
    p_reasons := cmbs_store.policy_reasons(v_policy)
        || cmbs_store.item_reasons(p_items, p_given, p_capability, v_policy, v_evidence)
        || cmbs_store.scheduler_reasons(
            p_session, p_items, v_evidence.definitions, v_policy.settings - 'policy.cooldowns',
            p_given.decided_at::timestamptz
        );
    p_basis := jsonb_build_object(
        'policy_hash', encode(v_pin.policy_hash, 'hex'),
        'tools', v_evidence.tools, 'schemas', v_evidence.schemas, 'reads', v_evidence.reads
    );
exception
    when others then
        if left(sqlstate, 2) in ('40', '53', '55', '57', '58', 'XX') then
            raise;
        end if;
        p_basis := '{}';
        p_reasons := array[(
            null, 'evaluation', 'EVALUATION_ERROR', null, 'block', 'SQLSTATE ' || sqlstate
        )::cmbs_store.reason];
end
$$;
