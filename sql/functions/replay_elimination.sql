-- cmbs_store.replay_elimination
--
-- Applies one ELIMINATE event again: what was asked for and still survives goes.
--
-- p_state   the replayed session before the event; comes back as after it

create or replace function cmbs_store.replay_elimination(
    inout p_state cmbs_store.session,
    p_payload jsonb,
    out p_delta text[]
)
language plpgsql
stable
as $$
declare
    v_sent text[] := array(select jsonb_array_elements_text(p_payload -> 'eliminated'));
    v_ids text[];
    v_ranks integer[];
    v_cleared record;
begin
    select array_agg(m.hypothesis_id), array_agg(m.hypothesis_rank)
    into v_ids, v_ranks
    from (
        select u.hypothesis_id, u.hypothesis_rank
        from cmbs_store.universe_member as u
        where u.universe_digest = p_state.universe_digest and u.hypothesis_id = any(v_sent)
        order by u.hypothesis_id
    ) as m;
    v_cleared := cmbs_store.clear_bits(p_state.mask, v_ids, v_ranks);
    p_delta := v_cleared.p_cleared_ids;
    if cardinality(p_delta) > 0 then
        p_state.mask := v_cleared.p_cleared_mask;
        p_state.n_survivors := p_state.n_survivors - cardinality(p_delta);
        p_state.survivors_hash :=
            cmbs_store.survivors_hash_v1(p_state.universe_digest, p_state.mask);
    end if;
end
$$;

comment on function cmbs_store.replay_elimination(cmbs_store.session, jsonb) is
'Apply one ELIMINATE event again.';

revoke all on function cmbs_store.replay_elimination(cmbs_store.session, jsonb) from public;
