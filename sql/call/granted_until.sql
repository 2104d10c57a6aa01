-- cmbs_store.granted_until
--
-- The time by which what was granted before is measured in an event: that of its decision, or
-- infinity where it found the clock set back, so that nothing counts any more.

create or replace function cmbs_store.granted_until(
    p_payload jsonb
)
returns timestamptz
language sql
immutable
as $$
    select case
        when p_payload ? 'clock' then 'infinity'
        else (p_payload ->> 'decided_at')::timestamptz
    end
$$;

comment on function cmbs_store.granted_until(jsonb) is
'The time by which what was granted before is measured in an event.';

revoke all on function cmbs_store.granted_until(jsonb) from public;
