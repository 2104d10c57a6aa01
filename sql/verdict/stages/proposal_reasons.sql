-- cmbs_store.proposal_reasons
--
-- All that stands against a proposal and its items, stage by stage.

create or replace function cmbs_store.proposal_reasons(
    p_session cmbs_store.session,
    p_actor text,
    p_given cmbs_store.verdict_input,
    p_policy cmbs_store.policy,
    p_capability cmbs_store.capability_token,
    p_evidence cmbs_store.evidence
)
returns cmbs_store.reason[]
language plpgsql
stable
as $$
declare
    v_items jsonb := p_given.proposal -> 'items';
begin
    return cmbs_store.session_reasons(
        p_session, (p_given.proposal ->> 'state_snapshot_id')::uuid
    )
    || cmbs_store.policy_reasons(p_policy)
    || cmbs_store.halt_reasons(p_given)
    || cmbs_store.capability_reasons(
        p_session, p_capability, p_given.is_token_shown, p_actor,
        cmbs_store.granted_until(p_given.decided_at, p_given.clock)
    )
    || cmbs_store.budget_reasons(
        p_session, p_capability, v_items, p_policy.settings,
        cmbs_store.mode_setting(p_policy.settings, cmbs_store.mode_in_force(p_session))
    )
    || cmbs_store.item_reasons(v_items, p_given, p_capability, p_policy, p_evidence)
    || cmbs_store.together_reasons(p_session, v_items, p_evidence)
    || cmbs_store.scheduler_reasons(
        p_session, v_items, p_evidence.definitions, p_policy.settings,
        p_given.decided_at::timestamptz
    );
end
$$;
