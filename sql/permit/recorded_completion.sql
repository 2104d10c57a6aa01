-- cmbs_store.recorded_completion
--
-- The recorded outcome of an execution that ended before in the same way; null if it did not end.
--
-- Raises     MB102 CONFLICT.

create or replace function cmbs_store.recorded_completion(
    p_session cmbs_store.session,
    p_permit cmbs_store.permit,
    p_content jsonb
)
returns text
language plpgsql
stable
as $$
declare
    v_event cmbs_store.audit_event;
begin
    select e.*
    into v_event
    from cmbs_store.permit_end as d
    inner join cmbs_store.audit_event as e on e.session_id = d.session_id and e.seq = d.seq
    where d.session_id = p_session.session_id and d.permit_id = p_permit.permit_id;
    if not found then
        return null;
    elsif ((v_event.record::jsonb -> 'payload') - 'request_id')::text <> p_content::text then
        perform cmbs_store.refuse_execution('PERMIT_COMPLETED', jsonb_build_object(
            'permit_id', p_permit.permit_id, 'audit_event_id', v_event.event_id
        ));
    end if;
    return cmbs_store.outcome(
        v_event.record::jsonb -> 'payload', v_event.event_id, true
    );
end
$$;
