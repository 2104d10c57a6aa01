-- cmbs_store.clock_lead
--
-- By how many microseconds the clock of this server was set back in all. A step counts before
-- anybody has noted it.

create or replace function cmbs_store.clock_lead()
returns bigint
language sql
volatile
as $$
    select coalesce(max(greatest(m.lead_us, case
        when m.reached_at - c.now > m.lead_us * interval '1 microsecond' + interval '5 seconds'
            then cmbs_store.microseconds(m.reached_at - c.now)
    end)), 0)
    from cmbs_store.clock_mark as m
    cross join cmbs_store.clock() as c (now)
$$;
