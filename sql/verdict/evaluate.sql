-- cmbs_store.evaluate
--
-- The verdict on a proposal: a function of the proposal, the session as of an event, and the
-- policy, tools and schemas that it names. All stages run, so that all reasons are told.
--
-- p_given      the proposal, who made it with which roles and token, and when it was decided
-- p_recorded   the tools and schemas that a record names, null to take those registered now
-- p_pin        the policy to decide by

create or replace function cmbs_store.evaluate(
    p_session cmbs_store.session,
    p_actor text,
    p_given cmbs_store.verdict_input,
    p_recorded jsonb,
    p_pin cmbs_store.policy_pin
)
returns jsonb
language plpgsql
stable
as $$
declare
    v_items jsonb := p_given.proposal -> 'items';
    v_is_atomic boolean := p_given.proposal -> 'atomic' = 'true';
    v_reasons cmbs_store.reason[];
    v_limits cmbs_store.reason[];
    v_policy cmbs_store.policy;
    v_capability cmbs_store.capability_token;
    v_evidence cmbs_store.evidence;
    v_verdict jsonb;
begin
    v_reasons := cmbs_store.idempotency_reasons(p_session, p_actor, p_given.proposal);
    if cardinality(v_reasons) > 0 then
        return cmbs_store.verdict(v_items, v_reasons, v_is_atomic)
            || '{"tools": {}, "schemas": {}, "reads": {}}';
    end if;
    select p.* into v_policy from cmbs_store.policy as p where p.policy_hash = p_pin.policy_hash;
    select t.*
    into v_capability
    from cmbs_store.capability_token as t
    where t.session_id = p_session.session_id
        and t.token_id = p_given.token_id::uuid
        and t.seq <= p_session.audit_seq;
    v_evidence := cmbs_store.evidence(
        p_session, p_pin.policy_hash, p_actor, v_items, p_recorded
    );
    v_reasons := cmbs_store.proposal_reasons(
        p_session, p_actor, p_given, v_policy, v_capability, v_evidence
    );
    v_verdict := cmbs_store.verdict(v_items, v_reasons, v_is_atomic);
    if not v_is_atomic and v_verdict ->> 'decision' = 'allow' and cardinality(v_reasons) > 0 then
        v_reasons := v_reasons || cmbs_store.remaining_reasons(
            p_session, v_items, v_verdict, v_evidence
        );
        v_verdict := cmbs_store.verdict(v_items, v_reasons, v_is_atomic);
    end if;
    if cardinality(v_reasons) > 0 then
        v_limits := cmbs_store.limit_reasons(p_session, p_given, v_verdict, v_policy.settings);
        if cardinality(v_limits) > 0 then
            v_verdict := cmbs_store.verdict(v_items, v_reasons || v_limits, v_is_atomic);
        end if;
    end if;
    return cmbs_store.with_offers(
        v_verdict, v_capability, p_session, v_policy.settings, p_given, v_evidence
    ) || jsonb_build_object(
        'tools', v_evidence.tools, 'schemas', v_evidence.schemas, 'reads', v_evidence.reads
    );
end
$$;
