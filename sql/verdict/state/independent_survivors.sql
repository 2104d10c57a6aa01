-- cmbs_store.independent_survivors
--
-- How many hypotheses survive if only eliminations count that others than p_actor asked for, so
-- that nobody unlocks a gate by their own word. As of the event that the session is given as of.
--
-- What was counted before is read, and the rest of the log; nothing is written.

create or replace function cmbs_store.independent_survivors(
    p_session cmbs_store.session,
    p_actor text
)
returns bigint
language sql
stable
as $$
    with counted as (
        select coalesce(max(c.counted_seq), 0) as seq
        from cmbs_store.elimination_count as c
        where c.session_id = p_session.session_id
    ),

    recent as (
        select a.hypothesis_id, bool_and(a.actor = p_actor) as is_own
        from counted as c
        cross join lateral
            cmbs_store.asked_eliminations(p_session, c.seq, p_session.audit_seq) as a
        where c.seq < p_session.audit_seq
        group by a.hypothesis_id
    )

    select p_session.n_survivors
        + (
            select count(*)
            from cmbs_store.elimination_claimant as e
            where e.session_id = p_session.session_id
                and e.actor = p_actor
                and e.seq <= p_session.audit_seq
                and coalesce(e.other_seq > p_session.audit_seq, true)
                and not exists (
                    select
                    from recent as r
                    where r.hypothesis_id = e.hypothesis_id and not r.is_own
                )
        )
        + (
            select count(*)
            from recent as r
            where r.is_own and not exists (
                select
                from cmbs_store.elimination_claimant as e
                where e.session_id = p_session.session_id
                    and e.hypothesis_id = r.hypothesis_id
                    and e.seq <= p_session.audit_seq
            )
        )
$$;
