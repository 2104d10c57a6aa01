-- cmbs_store.evaluate_claim
--
-- The verdict on a claim: a function of the claim, the session as of an event, and its policy. A
-- claim that is not confirmed may ask to be stored as a hypothesis instead.
--
-- p_given      the claim, the one that it promotes, who made it with which roles, and when
-- p_recorded   the schemas that a record names, null to take those registered now

create or replace function cmbs_store.evaluate_claim(
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
    v_claim jsonb := p_given.claim;
    v_policy cmbs_store.policy;
    v_is_confirmed boolean;
    v_kind text := v_claim ->> 'kind';
    v_items jsonb;
    v_evidence cmbs_store.evidence;
    v_reasons cmbs_store.reason[];
begin
    select p.* into v_policy from cmbs_store.policy as p where p.policy_hash = p_pin.policy_hash;
    v_is_confirmed := cmbs_store.is_confirmed(p_session, v_claim, v_policy.settings);
    if not v_is_confirmed and v_claim ->> 'on_unconfirmed' = 'demote'
        and v_kind not in ('hypothesis', 'derived')
    then
        v_kind := 'hypothesis';
        if v_claim -> 'ttl_ms' = 'null' and v_claim -> 'review_at' = 'null' then
            v_claim := v_claim || jsonb_build_object('ttl_ms', coalesce(
                (v_policy.settings -> 'policy.claims' ->> 'default_ttl_ms')::bigint, 86400000
            ));
        end if;
    end if;
    v_items := jsonb_build_array(jsonb_build_object('kind', 'claim', 'claim_kind', v_kind));
    v_evidence := cmbs_store.evidence(
        p_session, p_pin.policy_hash, p_actor, v_items, p_recorded
    );
    v_reasons := cmbs_store.policy_reasons(v_policy)
        || cmbs_store.halt_reasons(p_given)
        || cmbs_store.claim_reasons(v_claim, v_kind, v_is_confirmed, v_policy.settings)
        || cmbs_store.promotion_reasons(
            p_session, v_claim, p_given.promotes::uuid
        )
        || cmbs_store.constraints_against(
            v_policy, v_evidence.entries, v_items, v_evidence.definitions, v_evidence.values,
            v_evidence.documents, null
        );
    return cmbs_store.fold_reasons(v_reasons, 1) || jsonb_build_object(
        'kind', v_kind,
        'confirmed', v_is_confirmed,
        'expires_at', cmbs_store.timestamp_v1(
            p_given.decided_at::timestamptz
            + (v_claim ->> 'ttl_ms')::bigint * interval '1 millisecond'
        ),
        'tools', v_evidence.tools, 'schemas', v_evidence.schemas, 'reads', v_evidence.reads
    );
end
$$;
