-- cmbs_store.clock_lead_found
--
-- By how many microseconds the time of a session was ahead of the clock, as the event says that
-- found it set back.

create or replace function cmbs_store.clock_lead_found(
    p_payload jsonb
)
returns bigint
language sql
stable
as $$
    select cmbs_store.microseconds(
        (p_payload ->> 'decided_at')::timestamptz - (p_payload ->> 'clock')::timestamptz
    )
$$;
