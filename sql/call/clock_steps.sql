-- cmbs_store.clock_steps
--
-- How often the clock of this server was set back. A step counts before anybody has noted it.

create or replace function cmbs_store.clock_steps()
returns integer
language sql
volatile
as $$
    select coalesce(max(m.n_steps + (
        m.reached_at - c.now > m.lead_us * interval '1 microsecond' + interval '5 seconds'
    )::integer), 0)
    from cmbs_store.clock_mark as m
    cross join cmbs_store.clock() as c (now)
$$;
