-- cmbs_store.gate_flips_without
--
-- Sends the log of a session again without some of its messages: decides every gate anew and lists
-- those that would have said something else than is recorded.
--
-- p_session    the session as it is
-- p_state      the session as it would be, but for its hash, mask and head
-- p_ended_seq  the message that would have ended it, null if none
-- p_n_refused  messages that would have been refused with an error

create or replace function cmbs_store.gate_flips_without(
    p_session cmbs_store.session,
    p_without_source text,
    p_without_observation text,
    p_seqs bigint[],
    p_limit integer,
    out p_state cmbs_store.session,
    out p_ended_seq bigint,
    out p_n_refused bigint,
    out p_n_gates bigint,
    out p_n_flips bigint,
    out p_flips text[]
)
language plpgsql
stable
as $$
declare
    v_step record;
    v_now record;
    v_approved boolean;
    v_reason text;
begin
    p_state := cmbs_store.without_obligation(p_session);
    p_state.n_survivors := p_session.n_hypotheses;
    p_state.is_terminated := false;
    p_state.conclusion_id := null;
    p_state.conclusion_run := 0;
    p_n_refused := 0;
    p_n_gates := 0;
    p_n_flips := 0;
    for v_step in
        select s.seq, s.verb, s.event_id, s.payload, s.n_eliminated
        from cmbs_store.steps_without(
            p_session.session_id, p_without_source, p_without_observation, p_seqs
        ) as s
        order by s.seq
    loop
        if v_step.verb = 'ELIMINATE' then
            if p_state.is_terminated then
                p_n_refused := p_n_refused + 1;
            else
                p_state.n_survivors := p_state.n_survivors - v_step.n_eliminated;
            end if;
            continue;
        end if;
        p_n_gates := p_n_gates + 1;
        p_state.audit_seq := v_step.seq;
        v_now := cmbs_store.decide_gate(p_state, v_step.verb, v_step.payload);
        if v_now.p_error is not null then
            p_n_refused := p_n_refused + 1;
        elsif (v_now.p_state).is_terminated then
            p_ended_seq := v_step.seq;
        end if;
        p_state := v_now.p_state;
        v_approved :=
            coalesce(v_step.payload -> 'approved', v_step.payload -> 'accepted')::boolean;
        v_reason := v_step.payload ->> 'reason';
        if v_now.p_error is null
            and v_now.p_approved is not distinct from v_approved
            and v_now.p_reason is not distinct from v_reason
        then
            continue;
        end if;
        p_n_flips := p_n_flips + 1;
        if p_n_flips <= p_limit then
            p_flips := array_append(p_flips, format(
                '{"event_id": "%s", "seq": %s, "verb": "%s", "recorded": %s, "instead": %s}',
                v_step.event_id, v_step.seq, v_step.verb,
                cmbs_store.gate_answer(v_approved, v_reason, null),
                cmbs_store.gate_answer(v_now.p_approved, v_now.p_reason, v_now.p_error)
            ));
        end if;
    end loop;
end
$$;
