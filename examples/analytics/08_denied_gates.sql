-- What was denied, why, and how often? later_approved counts the sessions in which the same verb
-- was approved after a denial.

with denied as (
    select session_id, verb, reason, count(*) as denials, min(seq) as first_seq
    from cmbs.gate_decision
    where not approved
    group by session_id, verb, reason
),

approved as (
    select session_id, verb, max(seq) as last_seq
    from cmbs.gate_decision
    where approved
    group by session_id, verb
)

select
    d.verb,
    d.reason,
    sum(d.denials) as denials,
    count(*) as sessions,
    count(*) filter (where a.last_seq > d.first_seq) as later_approved
from denied as d
left join approved as a on a.session_id = d.session_id and a.verb = d.verb
group by d.verb, d.reason
order by d.verb collate "C", denials desc, d.reason collate "C";
