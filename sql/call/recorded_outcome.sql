-- cmbs_store.recorded_outcome
--
-- The recorded outcome of a repeated message, null if the request id is new or absent.
--
-- Raises      MB102 CONFLICT.

create or replace function cmbs_store.recorded_outcome(
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
    v_event cmbs_store.audit_event;
begin
    if p_request_id is null then
        return null;
    end if;
    v_event := cmbs_store.recorded_message(p_session_id, p_request_id, p_verb, p_content);
    return case
        when v_event.seq is not null
            then cmbs_store.outcome(v_event.record::jsonb -> 'payload', v_event.event_id, true)
    end;
end
$$;
