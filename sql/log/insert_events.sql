-- cmbs_store.insert_events
--
-- Writes events of a batch to the log.
--
-- Locks      nothing: the caller holds the session row.

create or replace function cmbs_store.insert_events(
    p_events cmbs_store.audit_event[]
)
returns void
language plpgsql
volatile
as $$
begin
    insert into cmbs_store.audit_event (
        session_id, seq, recorded_at, event_id, event_hash, verb, actor,
        source_id, observation_id, request_id, record
    )
    select
        e.session_id,
        e.seq,
        e.recorded_at,
        e.event_id,
        e.event_hash,
        e.verb,
        e.actor,
        e.source_id,
        e.observation_id,
        e.request_id,
        e.record
    from unnest(p_events) as e;
end
$$;
