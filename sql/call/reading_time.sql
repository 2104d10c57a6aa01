-- cmbs_store.reading_time
--
-- The time by which what a session granted is shown now: infinity where the clock was set back, so
-- that it is shown as what it is, expired.

create or replace function cmbs_store.reading_time(
    p_session cmbs_store.session
)
returns timestamptz
language sql
volatile
as $$
    select t.p_until from cmbs_store.session_time(p_session) as t
$$;
