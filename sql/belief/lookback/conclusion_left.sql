-- cmbs_store.conclusion_left
--
-- What DECLARE_CONCLUSION would answer now, and how near the stability window is, as JSON text.

create or replace function cmbs_store.conclusion_left(
    p_session cmbs_store.session
)
returns text
language plpgsql
stable
as $$
declare
    v_decision record := cmbs_store.decide_gate(p_session, 'DECLARE_CONCLUSION', '{}');
begin
    return format(
        '{"accepted": %s, "reason": %s, "error": %s, "conclusion_id": %s, "n_in_a_row": %s, '
        '"stability_window": %s, "missing": %s}',
        coalesce(v_decision.p_approved, false)::text,
        coalesce(to_json(v_decision.p_reason)::text, 'null'),
        coalesce(to_json(v_decision.p_error)::text, 'null'),
        coalesce(to_json(p_session.conclusion_id)::text, 'null'),
        p_session.conclusion_run,
        p_session.stability_window,
        greatest(p_session.stability_window - p_session.conclusion_run, 0)
    );
end
$$;
