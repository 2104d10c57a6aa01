-- cmbs_store.new_incident_event
--
-- Notes in a locked incident who rules something out, and returns the number of that.
--
-- Locks      nothing: the caller holds the row of the incident.

create or replace function cmbs_store.new_incident_event(
    p_incident cmbs_store.incident,
    p_actor text,
    p_source_id text,
    p_trigger text,
    p_occurred_at timestamptz
)
returns bigint
language plpgsql
volatile
as $$
declare
    v_event_no bigint := p_incident.n_events + 1;
begin
    update cmbs_store.incident as i
    set n_events = v_event_no
    where i.incident_id = p_incident.incident_id;
    insert into cmbs_store.incident_event (
        incident_id, event_no, recorded_at, actor, source_id, trigger, occurred_at
    )
    values (
        p_incident.incident_id, v_event_no, cmbs_store.clock(), p_actor, p_source_id, p_trigger,
        p_occurred_at
    );
    return v_event_no;
end
$$;
