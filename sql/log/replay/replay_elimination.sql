-- cmbs_store.replay_elimination
--
-- Applies one ELIMINATE event again: what was asked for and still survives goes.
--
-- p_state   the replayed session before the event; comes back as after it
-- p_fault   what is wrong with the event, null if nothing

create or replace function cmbs_store.replay_elimination(
    inout p_state cmbs_store.session,
    p_payload jsonb,
    out p_delta text[],
    out p_fault text
)
language plpgsql
stable
as $$
declare
    v_sent text[] := array(select jsonb_array_elements_text(p_payload -> 'eliminated'));
    v_known record := cmbs_store.ranks(p_state.universe_digest, v_sent);
    v_cleared record;
begin
    if p_state.validate_hypotheses
        and cardinality(cmbs_store.ids_without(v_sent, v_known.p_found)) > 0
    then
        p_fault := 'an id was accepted that is not a hypothesis';
    end if;
    v_cleared := cmbs_store.clear_bits(p_state.mask, v_known.p_found, v_known.p_ranks);
    p_delta := v_cleared.p_cleared_ids;
    if cardinality(p_delta) > 0 then
        p_state.mask := v_cleared.p_cleared_mask;
        p_state.n_survivors := p_state.n_survivors - cardinality(p_delta);
        p_state.survivors_hash :=
            cmbs_store.survivors_hash_v1(p_state.universe_digest, p_state.mask);
    end if;
end
$$;
