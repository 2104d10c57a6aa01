-- cmbs_store.new_session
--
-- A new session, before its first event; null if the id is taken.
--
-- p_universe_from   the incident that it is declared from, in canonical text; null if it is not
-- p_is_mirrored     whether a Tee is told of it
--
-- Another tenant's session is looked for first: the insert would wait for whoever changes it.
--
-- Locks      the new session row; waits for another declare under the same id.

create or replace function cmbs_store.new_session(
    p_session_id uuid,
    p_tenant text,
    p_ontology jsonb,
    p_universe_digest bytea,
    p_n_hypotheses integer,
    p_policy cmbs_store.policy_default,
    p_policy_as_sent text,
    p_declared_at timestamptz,
    p_universe_from text,
    p_is_mirrored boolean
)
returns cmbs_store.session
language plpgsql
volatile
as $$
declare
    v_mask bytea := cmbs_store.mask_v1(p_n_hypotheses, true);
    v_session cmbs_store.session;
begin
    insert into cmbs_store.session (
        session_id, tenant, declared_at, universe_digest, n_hypotheses,
        stability_window, validate_hypotheses, allow_forced_termination,
        hypothesis_space_id, ontology, policy_as_sent,
        audit_seq, audit_head_event_id, audit_head_hash, audit_head_at,
        survivors_hash, n_survivors, is_terminated, mask, conclusion_run,
        universe_from, is_mirrored, n_clock_steps
    )
    select
        p_session_id, p_tenant, p_declared_at, p_universe_digest, p_n_hypotheses,
        p_policy.stability_window, p_policy.validate_hypotheses, p_policy.allow_forced_termination,
        p_ontology ->> 'hypothesis_space_id', p_ontology::text, p_policy_as_sent,
        0, p_session_id, decode(repeat('00', 32), 'hex'), '-infinity',
        cmbs_store.survivors_hash_v1(p_universe_digest, v_mask), p_n_hypotheses, false,
        case when p_n_hypotheses <= 8192 then v_mask end, 0,
        p_universe_from, p_is_mirrored, cmbs_store.clock_steps()
    where not exists (
        select
        from cmbs_store.session as s
        where s.session_id = p_session_id and s.tenant <> p_tenant
    )
    on conflict (session_id) do nothing
    returning * into v_session;
    if v_session.session_id is not null and starts_with(p_universe_from, '{"edges": true') then
        perform cmbs_store.ensure_universe_edges(p_universe_digest);
    end if;
    if v_session.session_id is not null and v_session.mask is null then
        insert into cmbs_store.session_mask (session_id, chunk_no, chunk)
        select p_session_id, g.chunk_no, substr(v_mask, g.chunk_no * 1024 + 1, 1024)
        from generate_series(0, (p_n_hypotheses - 1) / 8192) as g (chunk_no);
    end if;
    return v_session;
end
$$;
