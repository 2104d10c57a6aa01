-- cmbs_store.obligation_left
--
-- How near the active obligation is to its exit, as JSON text; null if none is active.

create or replace function cmbs_store.obligation_left(
    p_session cmbs_store.session
)
returns text
language sql
stable
as $$
    select format(
        '%s, "missing": %s, "entered_event_id": "%s", "since": "%s"}',
        left(cmbs_store.active_obligation(p_session), -1),
        greatest(
            p_session.obligation_minimum - p_session.obligation_survivors + p_session.n_survivors,
            0
        ),
        e.event_id,
        cmbs_store.timestamp_v1(e.recorded_at)
    )
    from cmbs_store.audit_event as e
    where e.session_id = p_session.session_id and e.seq = p_session.obligation_seq
$$;
