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
    p_given jsonb,
    p_recorded jsonb,
    p_pin cmbs_store.policy_pin
)
returns jsonb
language plpgsql
stable
as $$
declare
    v_proposal jsonb := p_given -> 'proposal';
    v_items jsonb := v_proposal -> 'items';
    v_is_atomic boolean := v_proposal -> 'atomic' = 'true';
    v_reasons cmbs_store.reason[];
    v_policy cmbs_store.policy;
    v_token cmbs_store.capability_token;
    v_ground cmbs_store.ground;
    v_verdict jsonb;
    v_kept jsonb;
begin
    v_reasons := cmbs_store.idempotency_reasons(p_session, p_actor, v_proposal);
    if cardinality(v_reasons) > 0 then
        return cmbs_store.verdict(v_items, v_reasons, v_is_atomic)
            || '{"tools": {}, "schemas": {}, "reads": {}}';
    end if;
    select p.* into v_policy from cmbs_store.policy as p where p.policy_hash = p_pin.policy_hash;
    select t.*
    into v_token
    from cmbs_store.capability_token as t
    where t.session_id = p_session.session_id
        and t.token_id = (p_given ->> 'token_id')::uuid
        and t.seq <= p_session.audit_seq;
    v_ground := cmbs_store.ground(
        p_session, p_pin.policy_hash, p_actor, v_items, p_recorded
    );
    v_reasons := cmbs_store.session_reasons(
        p_session, (v_proposal ->> 'state_snapshot_id')::uuid
    )
    || cmbs_store.policy_reasons(v_policy)
    || cmbs_store.halt_reasons(p_given)
    || cmbs_store.token_reasons(
        p_session, v_token, p_given -> 'is_token_shown' = 'true', p_actor,
        (p_given ->> 'decided_at')::timestamptz
    )
    || cmbs_store.budget_reasons(p_session, v_token, v_items, v_policy.settings)
    || cmbs_store.item_reasons(v_items, p_given, v_token, v_policy, v_ground)
    || cmbs_store.together_reasons(p_session, v_items, v_ground);
    v_verdict := cmbs_store.verdict(v_items, v_reasons, v_is_atomic);
    if not v_is_atomic and v_verdict ->> 'decision' = 'allow' and cardinality(v_reasons) > 0 then
        -- Without those that are refused, the others must be fit to be committed together, too.
        v_kept := jsonb_path_query_array(v_verdict, '$.items[*] ? (@.effective == true).item_no');
        v_verdict := cmbs_store.verdict(
            v_items,
            v_reasons || array(
                select (null, r.stage, r.code, r.key, r.disposition, r.detail)::cmbs_store.reason
                from unnest(cmbs_store.together_reasons(
                    p_session,
                    (
                        select jsonb_agg(v_items -> k.item_no::integer - 1 order by k.item_no)
                        from jsonb_array_elements(v_kept) as k (item_no)
                    ),
                    v_ground
                )) as r
            ),
            v_is_atomic
        );
    end if;
    return cmbs_store.with_offers(
        v_verdict, v_items, v_token, p_session, v_policy.settings, p_given
    )
        || jsonb_build_object(
            'tools', v_ground.tools, 'schemas', v_ground.schemas, 'reads', v_ground.reads
        );
end
$$;

comment on function cmbs_store.evaluate(
    cmbs_store.session, text, jsonb, jsonb, cmbs_store.policy_pin
) is
'The verdict on a proposal, as a function of what it is given.';

revoke all on function cmbs_store.evaluate(
    cmbs_store.session, text, jsonb, jsonb, cmbs_store.policy_pin
) from public;
