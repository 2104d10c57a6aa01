-- cmbs_store.event_at_time
--
-- The last event of a session that is not later than a time. The times of a log never fall, so the
-- event is found by halving the log: a probe of its key for every doubling of its length.
--
-- Raises     MB003 EVENT_NOT_FOUND.

create or replace function cmbs_store.event_at_time(
    p_session cmbs_store.session,
    p_at timestamptz
)
returns uuid
language plpgsql
stable
as $$
declare
    v_low bigint := 0;
    v_high bigint := p_session.audit_seq;
    v_middle bigint;
    v_event_id uuid;
begin
    while v_low < v_high loop
        v_middle := (v_low + v_high + 1) / 2;
        if exists (
            select
            from cmbs_store.audit_event as e
            where e.session_id = p_session.session_id
                and e.seq = v_middle
                and e.recorded_at <= p_at
        ) then
            v_low := v_middle;
        else
            v_high := v_middle - 1;
        end if;
    end loop;
    select e.event_id
    into v_event_id
    from cmbs_store.audit_event as e
    where e.session_id = p_session.session_id and e.seq = v_low;
    if not found then
        perform cmbs_store.refuse(
            'MB003',
            'The session was not declared yet at this time.',
            json_build_object(
                'session_id', p_session.session_id,
                'declared_at', cmbs_store.timestamp_v1(p_session.declared_at)
            )::text,
            'Ask for a time from its declaration on.'
        );
    end if;
    return v_event_id;
end
$$;
