-- cmbs_store.input_of_resume
--
-- What a verdict is given by which a proposal goes on that people were asked about. Who did not
-- propose it, what is not the same action, and what was not approved is refused.
--
-- p_asked    the event of that proposal
-- Raises     MB102 CONFLICT, MB201 INVALID_REQUEST, MB302 FORBIDDEN.

create or replace function cmbs_store.input_of_resume(
    p_session cmbs_store.session,
    p_caller cmbs_store.principal,
    p_asked cmbs_store.audit_event,
    p_items jsonb,
    p_sent jsonb
)
returns cmbs_store.verdict_input
language plpgsql
volatile
as $$
declare
    v_payload jsonb := p_asked.record::jsonb -> 'payload';
    v_given cmbs_store.verdict_input := cmbs_store.input_for_roles(p_session, p_caller.roles);
    v_resumption record;
begin
    if p_asked.verb <> 'PROPOSE' then
        perform cmbs_store.refuse_request('proposal_id', 'must be the id of a proposal');
    elsif p_asked.actor <> p_caller.name then
        perform cmbs_store.refuse_execution(
            'APPROVAL_HOLDER_MISMATCH', jsonb_build_object('proposer', p_asked.actor)
        );
    end if;
    perform cmbs_store.check_source(
        p_caller, v_payload -> 'proposal' -> 'provenance' ->> 'source'
    );
    v_resumption := cmbs_store.approved_resume(
        p_session, p_asked.seq, v_payload,
        cmbs_store.granted_until(v_given.decided_at, v_given.clock)
    );
    if v_resumption.p_code is distinct from 'APPROVAL_NOT_ASKED'
        and cmbs_store.is_same_action(
            v_payload, v_resumption.p_resumes, p_items
        ) is not true
    then
        perform cmbs_store.refuse_execution(
            'APPROVAL_ACTION_MISMATCH', jsonb_build_object('proposal_id', p_asked.event_id)
        );
    elsif v_resumption.p_code is not null then
        perform cmbs_store.refuse_execution(v_resumption.p_code, jsonb_strip_nulls(
            jsonb_build_object(
                'proposal_id', p_asked.event_id, 'interrupt_id', v_resumption.p_interrupt_id
            )
        ));
    end if;
    v_given.v := 2;
    v_given.is_full := cmbs_store.deferrals_full(p_session.session_id);
    v_given.resumes := v_resumption.p_resumes;
    v_given.proposal := cmbs_store.resumed_proposal(
        p_session, v_payload -> 'proposal', v_resumption.p_resumes -> 'item_nos'
    );
    if p_sent ->> 'capability_token' is not null then
        v_given.is_token_shown := true;
        v_given.token_id := cmbs_store.find_capability(
            p_session.session_id, p_sent ->> 'capability_token'
        );
    else
        v_given.is_token_shown := (v_payload ->> 'is_token_shown')::boolean;
        v_given.token_id := v_payload ->> 'token_id';
    end if;
    return v_given;
end
$$;
