-- cmbs_store.recorded_message
--
-- The recorded outcome of a repeated message, null if the request id is new or absent. The same
-- verb with the same members is the same message; context and notes do not count.
--
-- p_content   the members that make the message, as they stand in its payload
-- Raises      MB102 CONFLICT.

create or replace function cmbs_store.recorded_message(
    p_session_id uuid,
    p_request_id text,
    p_verb text,
    p_content jsonb
)
returns text
language plpgsql
stable
as $$
declare
    v_event_id uuid;
    v_verb text;
    v_payload jsonb;
begin
    if p_request_id is null then
        return null;
    end if;
    select e.event_id, e.verb, e.record::jsonb -> 'payload'
    into v_event_id, v_verb, v_payload
    from cmbs_store.audit_event as e
    where e.session_id = p_session_id and e.request_id = p_request_id;
    if not found then
        return null;
    end if;
    if v_verb <> p_verb or not v_payload @> p_content then
        perform cmbs_store.refuse(
            'MB102',
            'This request id was used for another message.',
            json_build_object(
                'audit_event_id', v_event_id, 'request_id', p_request_id
            )::text,
            'Give a new message its own request id.'
        );
    end if;
    return cmbs_store.outcome(v_payload, v_event_id, true);
end
$$;

comment on function cmbs_store.recorded_message(uuid, text, text, jsonb) is
'The recorded outcome of a repeated message; null if it is new. Raises MB102.';

revoke all on function cmbs_store.recorded_message(uuid, text, text, jsonb) from public;
