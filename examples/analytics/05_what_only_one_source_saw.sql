-- What would nobody have ruled out but for this source? For each source the three hypotheses that
-- it alone ruled out in most sessions.

with lonely as (
    select session_id, hypothesis_id, min(source_id) as source_id
    from cmbs.claim
    group by session_id, hypothesis_id
    having min(source_id) = max(source_id) and bool_or(applied)
),

counted as (
    select
        source_id,
        hypothesis_id,
        count(*) as sessions,
        row_number() over (
            partition by source_id order by count(*) desc, hypothesis_id collate "C"
        ) as place
    from lonely
    group by source_id, hypothesis_id
)

select source_id, hypothesis_id, sessions
from counted
where place <= 3
order by source_id collate "C", place;
