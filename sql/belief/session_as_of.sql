-- cmbs_store.session_as_of
--
-- A session as it stood right after an event, as far as a snapshot shows it. (Termination is
-- always the last event.)
--
-- Raises     MB003 EVENT_NOT_FOUND.

create or replace function cmbs_store.session_as_of(
    p_session cmbs_store.session,
    p_event_id uuid
)
returns cmbs_store.session
language plpgsql
stable
as $$
declare
    v_event cmbs_store.audit_event := cmbs_store.read_event(p_session.session_id, p_event_id);
begin
    p_session.is_terminated := p_session.is_terminated and p_session.audit_seq = v_event.seq;
    p_session.audit_seq := v_event.seq;
    p_session.audit_head_event_id := v_event.event_id;
    p_session.audit_head_hash := v_event.event_hash;
    p_session.audit_head_at := v_event.recorded_at;
    p_session.survivors_hash :=
        decode(v_event.record::jsonb ->> 'survivors_after_hash', 'hex');
    p_session.n_survivors := p_session.n_hypotheses - (
        select count(*)
        from cmbs_store.tombstone as t
        where t.session_id = p_session.session_id and t.seq <= v_event.seq
    );
    p_session := cmbs_store.without_obligation(p_session);
    select o.entered_seq, o.obligation_id, o.min_total_eliminations, o.survivors_at_entry
    into
        p_session.obligation_seq, p_session.obligation_id,
        p_session.obligation_minimum, p_session.obligation_survivors
    from (
        select l.session_id, l.entered_seq, l.obligation_id, l.min_total_eliminations,
            l.survivors_at_entry
        from cmbs_store.obligation as l
        where l.session_id = p_session.session_id and l.entered_seq <= v_event.seq
        order by l.entered_seq desc
        limit 1
    ) as o
    left join cmbs_store.obligation_end as d
        on d.session_id = o.session_id and d.entered_seq = o.entered_seq
    where coalesce(d.ended_seq > v_event.seq, true);
    return p_session;
end
$$;
