-- cmbs_store.spent_unit
--
-- A unit besides max_calls that some token of a chain has used up; null if there is none. What one
-- of them does not name it has nothing of, but only a use shows that it was needed.
--
-- As of the event that the session is given as of.

create or replace function cmbs_store.spent_unit(
    p_session cmbs_store.session,
    p_chain uuid[]
)
returns text
language sql
stable
as $$
    select min(u.unit)
    from (
        select distinct k.unit
        from cmbs_store.capability_token as t
        cross join lateral jsonb_object_keys(t.budgets - 'max_calls') as k (unit)
        where t.session_id = p_session.session_id and t.token_id = any(p_chain)
    ) as u
    cross join unnest(p_chain) as c (token_id)
    cross join lateral (
        select s.spent
        from cmbs_store.capability_spending as s
        where s.session_id = p_session.session_id
            and s.token_id = c.token_id
            and s.unit = u.unit
            and s.seq <= p_session.audit_seq
        order by s.seq desc
        limit 1
    ) as s
    inner join cmbs_store.capability_token as g
        on g.session_id = p_session.session_id and g.token_id = c.token_id
    where s.spent > 0 and s.spent >= coalesce((g.budgets ->> u.unit)::bigint, 0)
$$;
