-- cmbs_store.granted_until
--
-- The time by which what was granted before is measured in an event: that of its decision, or
-- infinity where it found the clock set back, so that nothing counts any more.

create or replace function cmbs_store.granted_until(
    p_decided_at text,
    p_clock text
)
returns timestamptz
language sql
immutable
as $$
    select case when p_clock is not null then 'infinity' else p_decided_at::timestamptz end
$$;
