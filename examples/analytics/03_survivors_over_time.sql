-- How fast does belief narrow in general? Survivors so many minutes after the declare, over all
-- sessions. Belief never grows: the fewest survivors up to a moment are those of that moment.

with mark as (
    select minutes, place
    from unnest(array[1, 5, 15, 30, 60, 120, 240, 480]) with ordinality as u (minutes, place)
),

stretch as materialized (
    select
        t.session_id,
        width_bucket(
            extract(epoch from t.ts - s.declared_at) / 60,
            array[1, 5, 15, 30, 60, 120, 240, 480]::numeric[]
        ) as n_marks_passed,
        min(t.n_survivors) as n_survivors
    from cmbs.survivors_over_time as t
    inner join cmbs.session as s on s.session_id = t.session_id
    group by 1, 2
),

belief as (
    select m.minutes, e.session_id, min(e.n_survivors) as n_survivors
    from mark as m
    inner join stretch as e on e.n_marks_passed < m.place
    group by m.minutes, e.session_id
)

select
    minutes,
    count(*) as sessions,
    round(avg(n_survivors), 2) as mean_survivors,
    percentile_disc(0.5) within group (order by n_survivors) as median_survivors,
    round(avg(log(2.0, greatest(n_survivors, 1)::numeric)), 3) as mean_entropy,
    count(*) filter (where n_survivors = 1) as singletons
from belief
group by minutes
order by minutes;
