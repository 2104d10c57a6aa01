-- cmbs_store.recorded_message
--
-- The event of a repeated message, null if the request id is new or absent. The same verb with the
-- same members is the same message; context and notes do not count.
--
-- p_content   the members that make the message, as they stand in its payload
-- Raises      MB102 CONFLICT.

create or replace function cmbs_store.recorded_message(
    p_session_id uuid,
    p_request_id text,
    p_verb text,
    p_content jsonb
)
returns cmbs_store.audit_event
language plpgsql
stable
as $$
declare
    v_event cmbs_store.audit_event;
begin
    if p_request_id is null then
        return null;
    end if;
    select e.*
    into v_event
    from cmbs_store.audit_event as e
    where e.session_id = p_session_id and e.request_id = p_request_id;
    if v_event.verb <> p_verb or not v_event.record::jsonb -> 'payload' @> p_content then
        perform cmbs_store.refuse(
            'MB102',
            'This request id was used for another message.',
            json_build_object(
                'audit_event_id', v_event.event_id, 'request_id', p_request_id
            )::text,
            'Give a new message its own request id.'
        );
    end if;
    return v_event;
end
$$;
