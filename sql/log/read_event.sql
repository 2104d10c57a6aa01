-- cmbs_store.read_event
--
-- One event of a session by its id.
--
-- Raises     MB003 EVENT_NOT_FOUND.

create or replace function cmbs_store.read_event(
    p_session_id uuid,
    p_event_id uuid
)
returns cmbs_store.audit_event
language plpgsql
stable
as $$
declare
    v_event cmbs_store.audit_event;
begin
    select e.*
    into v_event
    from cmbs_store.audit_event as e
    where e.session_id = p_session_id
        and e.seq = cmbs_store.event_seq(p_event_id)
        and e.event_id = p_event_id;
    if not found then
        perform cmbs_store.refuse_missing(
            'event', json_build_object('session_id', p_session_id, 'event_id', p_event_id)
        );
    end if;
    return v_event;
end
$$;
