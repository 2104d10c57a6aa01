-- cmbs_store.replay_declare
--
-- The state right after event 1, from its record alone, and whether the stored universe is the one
-- that the record commits to. The mask is kept in one piece while a log is replayed.

create or replace function cmbs_store.replay_declare(
    p_session cmbs_store.session,
    p_record jsonb,
    p_known_universe bytea,
    out p_state cmbs_store.session,
    out p_fault text
)
language plpgsql
stable
as $$
declare
    v_payload jsonb := p_record -> 'payload';
    v_policy jsonb := v_payload -> 'policy';
begin
    p_state.session_id := p_session.session_id;
    p_state.policy_as_sent := p_session.policy_as_sent;
    -- A record does not say whose the session is, nor who is told of it.
    p_state.tenant := p_session.tenant;
    p_state.is_mirrored := p_session.is_mirrored;
    p_state.n_clock_steps := p_session.n_clock_steps;
    p_state.universe_from := (v_payload -> 'universe_from')::text;
    p_state.universe_digest := decode(v_payload ->> 'universe_digest', 'hex');
    p_state.n_hypotheses := (v_payload ->> 'n_hypotheses')::integer;
    p_state.stability_window := (v_policy ->> 'stability_window')::integer;
    p_state.validate_hypotheses := (v_policy ->> 'validate_hypotheses')::boolean;
    p_state.allow_forced_termination := (v_policy ->> 'allow_forced_termination')::boolean;
    p_state.hypothesis_space_id := v_payload -> 'ontology' ->> 'hypothesis_space_id';
    p_state.ontology := (v_payload -> 'ontology')::text;
    p_state.audit_seq := 1;
    p_state.n_survivors := p_state.n_hypotheses;
    p_state.is_terminated := false;
    p_state.conclusion_run := 0;
    if p_record ->> 'verb' is distinct from 'DECLARE_SESSION' then
        p_fault := 'the log does not begin with DECLARE_SESSION';
    elsif not coalesce(p_session.policy_as_sent::jsonb <@ v_policy, true) then
        p_fault := 'the stored policy as sent is not that of the log';
    elsif encode(p_state.universe_digest, 'hex') <> v_payload ->> 'universe_digest' then
        p_fault := 'the digest of the universe is not in lower-case hexadecimal';
    elsif not cmbs_store.is_universe(
        p_state.universe_digest, p_state.n_hypotheses, p_known_universe
    ) then
        p_fault := 'the stored universe is not the declared one';
    else
        p_state.mask := cmbs_store.mask_v1(p_state.n_hypotheses, true);
        p_state.survivors_hash :=
            cmbs_store.survivors_hash_v1(p_state.universe_digest, p_state.mask);
    end if;
end
$$;
