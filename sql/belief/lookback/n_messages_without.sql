-- cmbs_store.n_messages_without
--
-- The number of messages that are thought away.
--
-- Raises     MB003 EVENT_NOT_FOUND if there are none: whoever misspells a source must not read that
--            nothing would change.

create or replace function cmbs_store.n_messages_without(
    p_session_id uuid,
    p_without_source text,
    p_without_observation text
)
returns bigint
language plpgsql
stable
as $$
declare
    v_removed bigint;
begin
    select count(*)
    into v_removed
    from cmbs_store.audit_event as e
    where e.session_id = p_session_id
        and cmbs_store.is_left_out(
            e.source_id, e.observation_id, p_without_source, p_without_observation
        );
    if v_removed = 0 then
        perform cmbs_store.refuse(
            'MB003',
            'The session has no such message.',
            json_build_object(
                'session_id', p_session_id,
                'source_id', p_without_source,
                'observation_id', p_without_observation
            )::text,
            'Take source and observation ids from the log of the session.'
        );
    end if;
    return v_removed;
end
$$;
