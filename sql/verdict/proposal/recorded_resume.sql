-- cmbs_store.recorded_resume
--
-- The event of a proposal that went on by the same message of the same principal; null
-- if it is new.
--
-- Raises     MB102 CONFLICT.

create or replace function cmbs_store.recorded_resume(
    p_session cmbs_store.session,
    p_request_id text,
    p_actor text,
    p_seq bigint,
    p_items jsonb
)
returns cmbs_store.audit_event
language plpgsql
stable
as $$
declare
    v_event cmbs_store.audit_event := cmbs_store.recorded_message(
        p_session.session_id, p_request_id, 'PROPOSE',
        jsonb_build_object('resumes', jsonb_build_object('seq', p_seq))
    );
begin
    if v_event.seq is null then
        return null;
    elsif v_event.actor <> p_actor then
        perform cmbs_store.refuse_execution(
            'APPROVAL_HOLDER_MISMATCH', jsonb_build_object('proposer', v_event.actor)
        );
    elsif not cmbs_store.is_same_action(
        cmbs_store.event_payload(p_session.session_id, p_seq),
        v_event.record::jsonb #> '{payload,resumes}', p_items
    ) then
        perform cmbs_store.refuse_execution('APPROVAL_ACTION_MISMATCH', '{}');
    end if;
    return v_event;
end
$$;
