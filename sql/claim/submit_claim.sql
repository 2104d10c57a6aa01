-- cmbs_store.submit_claim
--
-- Decides on a claim in a locked session, appends its event and answers. A claim that is denied
-- leaves no row, and one that was made before under the same request id is answered as recorded.
--
-- Raises     MB101 SESSION_TERMINATED, MB102 and MB103 CONFLICT.

create or replace function cmbs_store.submit_claim(
    p_session cmbs_store.session,
    p_caller cmbs_store.principal,
    p_claim jsonb,
    p_promotes uuid,
    p_request_id text,
    p_expected_head uuid,
    p_notes text,
    p_minimal boolean
)
returns json
language plpgsql
volatile
as $$
declare
    v_content jsonb := jsonb_build_object('claim', p_claim, 'promotes', p_promotes);
    v_recorded cmbs_store.audit_event := cmbs_store.recorded_message(
        p_session.session_id, p_request_id, 'RECORD_CLAIM', v_content
    );
    v_given cmbs_store.verdict_input;
    v_payload jsonb;
begin
    if v_recorded.seq is not null then
        return cmbs_store.response(
            cmbs_store.claim_outcome(
                v_recorded.record::jsonb -> 'payload', v_recorded.event_id, true
            ),
            p_session, p_minimal
        );
    end if;
    perform cmbs_store.check_open(p_session, p_expected_head);
    v_given := cmbs_store.input_for_roles(p_session, p_caller.roles);
    v_given.request_id := p_request_id;
    v_given.claim := p_claim;
    v_given.promotes := p_promotes;
    v_given.claim_id := cmbs_store.random_id();
    v_payload := cmbs_store.input_json(v_given) || cmbs_store.decide(
        p_session, p_caller.name, v_given, null, cmbs_store.policy_in_force(p_session)
    );
    perform cmbs_store.check_isolation();
    if v_payload -> 'reads' ? 'fact.belief.n_survivors_independent' then
        perform cmbs_store.count_claimants(p_session);
    end if;
    p_session.audit_head_at := v_given.decided_at::timestamptz;
    p_session := cmbs_store.append_event(
        p_session, p_session.survivors_hash, 'RECORD_CLAIM', p_caller.name,
        null, null, p_request_id, p_notes, v_payload::text, '[]'
    );
    perform cmbs_store.project_event(
        p_session.session_id, p_session.audit_seq, p_caller.name, 'RECORD_CLAIM', v_payload
    );
    return cmbs_store.response(
        cmbs_store.claim_outcome(v_payload, p_session.audit_head_event_id, false),
        p_session, p_minimal
    );
end
$$;
