-- Which source eliminated most, and how much would still be believed without it?
-- only_it counts hypotheses that no other source of the session ruled out at any time: who comes
-- second eliminates nothing, but the first was not needed. ruled_out counts all that a source asked
-- for, each id once a session: also what was gone already, and ids that are no hypotheses.
-- The claims stand in the records alone, so this one parses those of every ELIMINATE.

with asked as (
    select source_id, session_id, hypothesis_id, bool_or(applied) as applied
    from cmbs.claim
    group by source_id, session_id, hypothesis_id
),

lonely as (
    select min(source_id) as source_id, count(*) as n_claims, bool_or(applied) as applied
    from asked
    group by session_id, hypothesis_id
)

select
    e.source_id,
    e.events,
    coalesce(r.ruled_out, 0) as ruled_out,
    e.eliminated,
    round(100 * e.eliminated / nullif(sum(e.eliminated) over (), 0), 1) as percent,
    coalesce(o.only_it, 0) as only_it
from (
    select source_id, sum(n_events) as events, sum(n_eliminations) as eliminated
    from cmbs.source_effect
    group by source_id
) as e
left join (select source_id, count(*) as ruled_out from asked group by source_id) as r
    on r.source_id = e.source_id
left join (
    select source_id, count(*) as only_it
    from lonely
    where n_claims = 1 and applied
    group by source_id
) as o on o.source_id = e.source_id
order by e.eliminated desc, e.source_id collate "C";
