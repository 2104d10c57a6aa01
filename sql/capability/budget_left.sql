-- cmbs_store.budget_left
--
-- What is left of a unit in the budgets of a chain of tokens: as much as the one has that has
-- least. As of the event that the session is given as of.

create or replace function cmbs_store.budget_left(
    p_session cmbs_store.session,
    p_chain uuid[],
    p_unit text
)
returns bigint
language sql
stable
as $$
    select min(
        coalesce((t.budgets ->> p_unit)::bigint, 0) - coalesce(
            (
                select s.spent
                from cmbs_store.capability_spending as s
                where s.session_id = p_session.session_id
                    and s.token_id = t.token_id
                    and s.unit = p_unit
                    and s.seq <= p_session.audit_seq
                order by s.seq desc
                limit 1
            ),
            0
        )
    )
    from unnest(p_chain) as c (token_id)
    inner join cmbs_store.capability_token as t
        on t.session_id = p_session.session_id and t.token_id = c.token_id
$$;
