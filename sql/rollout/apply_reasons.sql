-- cmbs_store.apply_reasons
--
-- Whether a policy may be applied to a session, as of the event that the session is given as of:
-- its invariants must hold of the state as it is.
--
-- p_recorded   the payload of a record that is decided again, null for a new one

create or replace function cmbs_store.apply_reasons(
    p_session cmbs_store.session,
    p_actor text,
    p_policy_hash bytea,
    p_recorded jsonb
)
returns jsonb
language plpgsql
stable
as $$
declare
    v_evidence cmbs_store.evidence := cmbs_store.evidence(
        p_session, p_policy_hash, p_actor, '[{"kind": "state_delta", "patch": {}}]', p_recorded
    );
    v_reasons cmbs_store.reason[] := cmbs_store.invariant_reasons(
        v_evidence.entries, v_evidence.values, v_evidence.documents
    );
begin
    return jsonb_build_object(
        'approved', cardinality(v_reasons) = 0,
        'reason', case
            when cardinality(v_reasons) = 0 then 'applied'
            else 'an invariant of the policy does not hold'
        end,
        'reasons', cmbs_store.fold_reasons(v_reasons, null) -> 'reasons',
        'reads', v_evidence.reads,
        'tools', v_evidence.tools,
        'schemas', v_evidence.schemas
    );
end
$$;
