-- How long do obligations hold a session up, and how do they end? Minutes from entry to end,
-- of which one that is still active has none.

select
    o.state,
    count(*) as obligations,
    round(avg(o.min_total_eliminations), 1) as mean_threshold,
    round(avg(o.counted), 1) as mean_counted,
    round(percentile_disc(0.5) within group (order by m.minutes), 1) as median_minutes,
    round(percentile_disc(0.9) within group (order by m.minutes), 1) as p90_minutes,
    round(max(m.minutes), 1) as max_minutes
from cmbs.obligation as o
cross join lateral (
    select extract(epoch from o.ended_at - o.entered_at) / 60 as minutes
) as m
group by o.state
order by o.state collate "C";
