-- cmbs_store.verify_session
--
-- Verifies one session: its chain, then its replay up to the first break, then the stored state.
-- No rows at all are never a valid log: then the first event is missing.
--
-- p_known_policies   policies that were found whole; p_policies are these and the session's

create or replace function cmbs_store.verify_session(
    p_session_id uuid,
    p_known_universe bytea,
    p_known_policies bytea[],
    out p_rows bigint,
    out p_head_hash bytea,
    out p_seq bigint,
    out p_reason text,
    out p_policies bytea[]
)
language plpgsql
stable
as $$
declare
    v_session cmbs_store.session;
    v_chain record;
    v_replay record;
begin
    select s.* into v_session from cmbs_store.session as s where s.session_id = p_session_id;
    v_chain := cmbs_store.chain_fault(p_session_id);
    p_rows := v_chain.p_rows;
    p_head_hash := v_session.audit_head_hash;
    if v_session.session_id is null then
        p_seq := 1;
        p_reason := 'the session row is missing';
        return;
    end if;
    if v_chain.p_seq is null and p_rows <> v_session.audit_seq then
        v_chain.p_seq := least(p_rows, v_session.audit_seq) + 1;
        v_chain.p_reason := case
            when p_rows < v_session.audit_seq then 'the event is missing'
            else 'the event is foreign'
        end;
    end if;
    v_replay := cmbs_store.replay(
        v_session, coalesce(v_chain.p_seq, p_rows + 1), p_known_universe
    );
    p_seq := coalesce(v_replay.p_seq, v_chain.p_seq);
    p_reason := coalesce(v_replay.p_reason, v_chain.p_reason);
    if p_seq is null then
        select f.p_seq, f.p_reason
        into p_seq, p_reason
        from cmbs_store.state_fault(
            v_session, v_replay.p_state, v_replay.p_ids, v_replay.p_id_seqs,
            v_replay.p_rows, v_replay.p_row_seqs
        ) as f;
    end if;
    p_policies := p_known_policies;
    if p_seq is null then
        select f.p_seq, f.p_reason, f.p_policies
        into p_seq, p_reason, p_policies
        from cmbs_store.arbitration_fault(v_session, p_known_policies) as f;
    end if;
    if p_seq is null then
        select min(a.seq), case
            when count(*) > 0 then 'the content of a tool or schema is not that of its hash'
        end
        into p_seq, p_reason
        from cmbs_store.altered_content(p_session_id) as a (seq);
    end if;
end
$$;
