-- cmbs_store.faults_in_claimants
--
-- The events whose eliminations are counted for somebody else than who asked for them; the last
-- event if some are said to be counted that are still to come.

create or replace function cmbs_store.faults_in_claimants(
    p_session_id uuid
)
returns setof bigint
language sql
stable
as $$
    with asked as (
        select
            a.hypothesis_id, a.actor, a.seq,
            first_value(a.actor) over (
                partition by a.hypothesis_id order by a.seq, a.actor
            ) as claimant
        from cmbs_store.elimination_count as c
        inner join cmbs_store.session as s on s.session_id = c.session_id
        cross join lateral cmbs_store.asked_eliminations(s, 0, c.counted_seq) as a
        where c.session_id = p_session_id
    ),
    counted as (
        select
            a.hypothesis_id,
            min(a.claimant) as actor,
            min(a.seq) filter (where a.actor = a.claimant) as seq,
            min(a.seq) filter (where a.actor <> a.claimant) as other_seq
        from asked as a
        group by a.hypothesis_id
    )
    select coalesce(e.seq, c.seq)
    from counted as c
    full join (
        select l.hypothesis_id, l.actor, l.seq, l.other_seq
        from cmbs_store.elimination_claimant as l
        where l.session_id = p_session_id
    ) as e on e.hypothesis_id = c.hypothesis_id
    where (e.actor, e.seq, e.other_seq) is distinct from (c.actor, c.seq, c.other_seq)
    union all
    select s.audit_seq
    from cmbs_store.elimination_count as c
    inner join cmbs_store.session as s on s.session_id = c.session_id
    where c.session_id = p_session_id and c.counted_seq > s.audit_seq
$$;
