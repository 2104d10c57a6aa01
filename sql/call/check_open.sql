-- cmbs_store.check_open
--
-- Refuses a new message to a session that has moved on, or is over. Asked after a repeated message
-- has had its recorded answer.
--
-- Raises     MB103 CONFLICT (expected head), MB101 SESSION_TERMINATED.

create or replace function cmbs_store.check_open(
    p_session cmbs_store.session,
    p_expected_head uuid
)
returns void
language plpgsql
stable
as $$
begin
    if p_session.audit_head_event_id <> p_expected_head then
        perform cmbs_store.refuse(
            'MB103',
            'The session has moved on since it was read.',
            json_build_object(
                'expected_head', p_expected_head,
                'audit_head_event_id', p_session.audit_head_event_id
            )::text,
            'Read the session again and decide again.'
        );
    end if;
    if p_session.is_terminated then
        perform cmbs_store.refuse(
            'MB101',
            'The session is terminated.',
            json_build_object('session_id', p_session.session_id)::text,
            'Reads stay open; declare a new session to go on.'
        );
    end if;
end
$$;
