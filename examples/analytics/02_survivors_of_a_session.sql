-- How did the belief of one session narrow? Here the one with the longest log.
-- A question about one session costs the same however many others there are.

select
    seq,
    to_char(ts at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as at,
    n_eliminated,
    n_survivors,
    round(entropy_proxy::numeric, 3) as entropy
from cmbs.survivors_over_time
where session_id = (
    select session_id from cmbs.session order by audit_seq desc, session_id limit 1
)
order by seq;
