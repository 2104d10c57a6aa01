-- cmbs_store.active_obligation
--
-- The active obligation of a session that has one, as JSON text.

create or replace function cmbs_store.active_obligation(
    p_session cmbs_store.session
)
returns text
language sql
stable
as $$
    select format(
        '{"obligation_id": %s, "min_total_eliminations": %s, '
        '"eliminated_since_entry": %s, "satisfiable": %s}',
        to_json(p_session.obligation_id),
        p_session.obligation_minimum,
        p_session.obligation_survivors - p_session.n_survivors,
        (p_session.obligation_minimum <= p_session.obligation_survivors)::text
    )
$$;
