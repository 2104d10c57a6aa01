-- cmbs_store.recorded_resume
--
-- The recorded verdict on a proposal that went on by the same message of the same principal; null
-- if it is new.
--
-- Raises     MB102 CONFLICT.

create or replace function cmbs_store.recorded_resume(
    p_session cmbs_store.session,
    p_request_id text,
    p_actor text,
    p_seq bigint,
    p_items jsonb,
    out p_payload jsonb,
    out p_event_id uuid
)
returns record
language plpgsql
stable
as $$
declare
    v_actor text;
    v_outcome text := cmbs_store.recorded_message(
        p_session.session_id, p_request_id, 'PROPOSE',
        jsonb_build_object('resumes', jsonb_build_object('seq', p_seq))
    );
begin
    if v_outcome is null then
        return;
    end if;
    select e.record::jsonb -> 'payload', e.event_id, e.actor
    into p_payload, p_event_id, v_actor
    from cmbs_store.audit_event as e
    where e.session_id = p_session.session_id and e.request_id = p_request_id;
    if v_actor <> p_actor then
        perform cmbs_store.refuse_execution(
            'APPROVAL_HOLDER_MISMATCH', jsonb_build_object('proposer', v_actor)
        );
    elsif not cmbs_store.is_same_action(
        cmbs_store.event_payload(p_session.session_id, p_seq), p_payload -> 'resumes', p_items
    ) then
        perform cmbs_store.refuse_execution('APPROVAL_ACTION_MISMATCH', '{}');
    end if;
end
$$;

comment on function cmbs_store.recorded_resume(cmbs_store.session, text, text, bigint, jsonb) is
'The recorded verdict on a proposal that went on by the same message; null if it is new.';

revoke all on function cmbs_store.recorded_resume(
    cmbs_store.session, text, text, bigint, jsonb
) from public;
