-- How long until one hypothesis was left? Minutes from the declare, by hypothesis space.
-- Sessions that never got there count in sessions and nowhere else.

with first_singleton as (
    select session_id, min(ts) as reached_at
    from cmbs.survivors_over_time
    where n_survivors = 1
    group by session_id
)
select
    s.hypothesis_space_id as space,
    count(*) as sessions,
    count(f.reached_at) as reached,
    round(percentile_disc(0.5) within group (order by m.minutes), 1) as median_minutes,
    round(percentile_disc(0.9) within group (order by m.minutes), 1) as p90_minutes,
    round(max(m.minutes), 1) as max_minutes
from cmbs.session as s
left join first_singleton as f on f.session_id = s.session_id
cross join lateral (
    select extract(epoch from f.reached_at - s.declared_at) / 60 as minutes
) as m
group by s.hypothesis_space_id
order by s.hypothesis_space_id collate "C";
