-- In which sessions did an accepted conclusion give way to another? A change is an accepted
-- conclusion that differs from the accepted one before it. The twenty with most changes.

with accepted as (
    select
        session_id,
        seq,
        ts,
        conclusion_id,
        lag(conclusion_id) over (partition by session_id order by seq) as before
    from cmbs.conclusion
    where accepted
)
select
    a.session_id,
    count(*) as accepted,
    count(*) filter (where a.conclusion_id <> a.before) as changes,
    (array_agg(a.conclusion_id order by a.seq))[1] as first,
    (array_agg(a.conclusion_id order by a.seq desc))[1] as last,
    round(extract(epoch from max(a.ts) - min(a.ts)) / 60, 1) as minutes
from accepted as a
group by a.session_id
having count(*) filter (where a.conclusion_id <> a.before) > 0
order by changes desc, a.session_id
limit 20;
