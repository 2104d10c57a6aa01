-- cmbs_store.replay
--
-- Replays the log of a session up to an event: every delta, every decision, every record is made
-- again from the log alone and compared. Ends at the first event that differs.
--
-- p_state         the state that the log leads to
-- p_ids           every hypothesis eliminated, with the seq of its event in p_id_seqs
-- p_rows          the rows that gate events must have left, with the seq in p_row_seqs
-- p_seq, p_reason the first bad event, null if there is none

create or replace function cmbs_store.replay(
    p_session cmbs_store.session,
    p_until bigint,
    p_known_universe bytea,
    out p_state cmbs_store.session,
    out p_ids text[],
    out p_id_seqs bigint[],
    out p_rows text[],
    out p_row_seqs bigint[],
    out p_seq bigint,
    out p_reason text
)
language plpgsql
stable
as $$
declare
    v_event cmbs_store.audit_event;
    v_record jsonb;
    v_before cmbs_store.session;
    v_step record;
    v_delta text[];
begin
    for v_event in
        select e.*
        from cmbs_store.audit_event as e
        where e.session_id = p_session.session_id and e.seq < p_until
        order by e.seq
    loop
        p_seq := v_event.seq;
        v_record := v_event.record::jsonb;
        v_delta := '{}';
        p_reason := cmbs_store.payload_fault(v_event.verb, v_record);
        if p_reason is not null then
            return;
        end if;
        v_before := p_state;
        p_state.audit_seq := v_event.seq;
        if v_event.seq = 1 then
            v_step := cmbs_store.replay_declare(p_session, v_record, p_known_universe);
            p_state := v_step.p_state;
            p_state.declared_at := v_event.recorded_at;
            p_reason := v_step.p_fault;
            v_before := p_state;
            v_before.audit_head_hash := decode(repeat('00', 32), 'hex');
            if p_reason is not null then
                return;
            end if;
            v_before.survivors_hash := cmbs_store.survivors_hash_v1(
                p_state.universe_digest, cmbs_store.mask_v1(p_state.n_hypotheses, false)
            );
        elsif v_before.is_terminated and v_event.verb <> 'COMPLETE_EXECUTION' then
            p_reason := 'the session was terminated before this event';
        elsif v_event.recorded_at < v_before.audit_head_at then
            p_reason := 'the event is earlier than the one before it';
        elsif v_event.verb = 'ELIMINATE' then
            v_step := cmbs_store.replay_elimination(p_state, v_record -> 'payload');
            p_state := v_step.p_state;
            v_delta := v_step.p_delta;
            p_reason := v_step.p_fault;
            for v_i in 1 .. cardinality(v_delta) loop
                p_ids[coalesce(cardinality(p_ids), 0) + 1] := v_delta[v_i];
                p_id_seqs[cardinality(p_ids)] := v_event.seq;
            end loop;
        elsif cmbs_store.is_arbitration(v_event.verb) then
            p_reason := cmbs_store.replay_arbitration(v_before, v_event, v_record -> 'payload');
        else
            v_step := cmbs_store.replay_gate(p_state, v_event.verb, v_record -> 'payload');
            p_state := v_step.p_state;
            p_reason := v_step.p_fault;
            p_rows := array_append(p_rows, cmbs_store.gate_row(
                v_before, p_state, v_event.verb, v_record -> 'payload'
            ));
            p_row_seqs := array_append(p_row_seqs, v_event.seq);
        end if;
        p_reason := coalesce(
            p_reason, cmbs_store.record_fault(v_event, v_record, v_before, p_state, v_delta)
        );
        if p_reason is not null then
            return;
        end if;
        p_state.audit_head_event_id := v_event.event_id;
        p_state.audit_head_hash := v_event.event_hash;
        p_state.audit_head_at := v_event.recorded_at;
    end loop;
    p_seq := null;
exception
    when data_exception or null_value_not_allowed or statement_too_complex then
        p_reason := 'the record cannot be read';
end
$$;
