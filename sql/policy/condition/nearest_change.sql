-- cmbs_store.nearest_change
--
-- What would have to be different for a condition to hold (or not to): the fewest clauses, as a
-- sentence for people. None if it does.
--
-- p_want     whether it is to hold, or not to; a condition that is not known does neither

create or replace function cmbs_store.nearest_change(
    p_condition jsonb,
    p_values jsonb,
    p_schemas jsonb,
    p_want boolean default true,
    out p_n_failing integer,
    out p_detail text
)
returns record
language plpgsql
stable
as $$
declare
    v_op text := p_condition ->> 'op';
    v_args jsonb := p_condition -> 'args';
    v_child record;
begin
    if v_op = 'not' then
        v_child := cmbs_store.nearest_change(v_args -> 0, p_values, p_schemas, not p_want);
        p_n_failing := v_child.p_n_failing;
        p_detail := v_child.p_detail;
        return;
    elsif cmbs_store.holds(p_condition, p_values, p_schemas) is not distinct from p_want then
        p_n_failing := 0;
        return;
    elsif v_op not in ('all', 'any') then
        p_n_failing := 1;
        p_detail := cmbs_store.clause_text(p_condition, p_values, p_schemas, p_want);
        return;
    end if;
    -- All of the children are needed, or any one of them.
    for v_i in 0 .. jsonb_array_length(v_args) - 1 loop
        v_child := cmbs_store.nearest_change(v_args -> v_i, p_values, p_schemas, p_want);
        if (v_op = 'all') = p_want then
            p_n_failing := coalesce(p_n_failing, 0) + v_child.p_n_failing;
            p_detail := nullif(concat_ws(' and ', p_detail, v_child.p_detail), '');
        elsif p_n_failing is null or v_child.p_n_failing < p_n_failing then
            p_n_failing := v_child.p_n_failing;
            p_detail := v_child.p_detail;
        end if;
    end loop;
    p_detail := left(p_detail, 600);
end
$$;
