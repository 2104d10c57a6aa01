-- cmbs_store.termination_left
--
-- What REQUEST_TERMINATION would answer now, without force and with it, and every condition that
-- is lacking, in the order in which they are asked; as JSON text.
--
-- A condition says how many are missing: eliminations until the exit, eliminations until a single
-- survivor, equal conclusions. Null says that it can no longer be met.

create or replace function cmbs_store.termination_left(
    p_session cmbs_store.session
)
returns text
language plpgsql
stable
as $$
declare
    v_plain record := cmbs_store.decide_gate(p_session, 'REQUEST_TERMINATION', '{}');
    v_forced record := cmbs_store.decide_gate(
        p_session, 'REQUEST_TERMINATION', '{"context": {"force": true}}'
    );
    v_missing text;
begin
    if not v_plain.p_approved then
        select string_agg(
            json_build_object('condition', c.condition, 'missing', c.missing)::text,
            ', ' order by c.place
        )
        into v_missing
        from (
            values
            (
                1, 'no active obligation', p_session.obligation_id is not null,
                case when p_session.obligation_minimum <= p_session.obligation_survivors then
                    greatest(
                        p_session.obligation_minimum
                        - p_session.obligation_survivors + p_session.n_survivors,
                        0
                    )
                end
            ),
            (
                2, 'a singleton survivor', p_session.n_survivors <> 1,
                nullif(p_session.n_survivors, 0)::bigint - 1
            ),
            (
                3, 'a stable conclusion', p_session.conclusion_run < p_session.stability_window,
                (p_session.stability_window - p_session.conclusion_run)::bigint
            )
        ) as c (place, condition, is_lacking, missing)
        where c.is_lacking;
    end if;
    return format(
        '%s, "with_force": %s, "missing": [%s]}',
        left(cmbs_store.gate_answer(
            coalesce(v_plain.p_approved, false), v_plain.p_reason, v_plain.p_error
        ), -1),
        cmbs_store.gate_answer(
            coalesce(v_forced.p_approved, false), v_forced.p_reason, v_forced.p_error
        ),
        v_missing
    );
end
$$;
