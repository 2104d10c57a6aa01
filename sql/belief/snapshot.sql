-- cmbs_store.snapshot
--
-- The snapshot of a session, as JSON text; without the survivors if p_minimal.

create or replace function cmbs_store.snapshot(
    p_session cmbs_store.session,
    p_minimal boolean
)
returns text
language plpgsql
stable
as $$
declare
    v_survivors text := '';
    v_obligation text := 'null';
    v_owner text;
begin
    -- By itself: a query inside of the expression below would make all of that slower.
    select e.actor
    into v_owner
    from cmbs_store.audit_event as e
    where e.session_id = p_session.session_id and e.seq = 1;
    if not p_minimal then
        v_survivors := '"survivors": ' || cmbs_store.survivors(p_session) || ', ';
    end if;
    if p_session.obligation_id is not null then
        v_obligation := cmbs_store.active_obligation(p_session);
    end if;
    return format(
        '{"session_id": "%s", "owner": %s, "declared_at": "%s", "ontology": %s, '
        '%s"n_survivors": %s, "n_hypotheses": %s, "entropy_proxy": %s, "is_contradicted": %s, '
        '"terminated": %s, "active_obligation_id": %s, "active_obligation": %s, "policy": %s, '
        '"survivors_hash": "%s", "audit_seq": %s, "audit_head_at": "%s", '
        '"audit_head_event_id": "%s", "audit_head_hash": "%s"}',
        p_session.session_id,
        -- Where the log has lost its first event, nobody knows.
        coalesce(to_json(v_owner)::text, 'null'),
        cmbs_store.timestamp_v1(p_session.declared_at),
        p_session.ontology,
        v_survivors,
        p_session.n_survivors,
        p_session.n_hypotheses,
        cmbs_store.entropy(p_session.n_survivors),
        (p_session.n_survivors = 0)::text,
        p_session.is_terminated::text,
        coalesce(to_json(p_session.obligation_id)::text, 'null'),
        v_obligation,
        cmbs_store.session_policy(p_session),
        encode(p_session.survivors_hash, 'hex'),
        p_session.audit_seq,
        cmbs_store.timestamp_v1(p_session.audit_head_at),
        p_session.audit_head_event_id,
        encode(p_session.audit_head_hash, 'hex')
    );
end
$$;
