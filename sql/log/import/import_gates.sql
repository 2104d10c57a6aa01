-- cmbs_store.import_gates
--
-- Takes the decisions of the gate events after p_session.audit_seq again, which must be the
-- recorded ones, and leaves the rows that the verbs would have left. What policy decided is taken
-- over as it is; cmbs.verify decides it again.
--
-- p_session   the session before these events; comes back with obligation, conclusions and
--             termination as after them, and with the seq of the last of them
-- p_seqs      the seq of each elimination since, in order

create or replace function cmbs_store.import_gates(
    p_session cmbs_store.session,
    p_seqs bigint[]
)
returns cmbs_store.session
language plpgsql
volatile
as $$
declare
    v_event cmbs_store.audit_event;
    v_before cmbs_store.session;
    v_payload jsonb;
    v_step record;
    v_n integer := 1;
begin
    for v_event in
        select e.*
        from cmbs_store.audit_event as e
        where e.session_id = p_session.session_id
            and e.seq > greatest(p_session.audit_seq, 1)
            and e.verb <> 'ELIMINATE'
        order by e.seq
    loop
        while p_seqs[v_n] < v_event.seq loop
            p_session.n_survivors := p_session.n_survivors - 1;
            v_n := v_n + 1;
        end loop;
        v_before := p_session;
        v_payload := v_event.record::jsonb -> 'payload';
        if cmbs_store.is_arbitration(v_event.verb)
            and (not v_before.is_terminated or v_event.verb = 'COMPLETE_EXECUTION')
            and cmbs_store.is_payload(v_event.verb, v_payload)
        then
            perform cmbs_store.project_event(
                p_session.session_id, v_event.seq, v_event.actor, v_event.verb, v_payload
            );
            continue;
        end if;
        p_session.audit_seq := v_event.seq;
        v_step := cmbs_store.replay_gate(p_session, v_event.verb, v_payload);
        if v_step.p_fault is not null
            or v_before.is_terminated
            or cmbs_store.is_payload(v_event.verb, v_payload) is not true
        then
            perform cmbs_store.refuse_import(
                p_session.session_id, v_event.seq,
                coalesce(v_step.p_fault, 'the session does not take it')
            );
        end if;
        p_session := v_step.p_state;
        if v_event.verb = 'ENTER_OBLIGATION' then
            insert into cmbs_store.obligation (
                session_id, entered_seq, obligation_id, min_total_eliminations, survivors_at_entry
            )
            values (
                p_session.session_id, v_event.seq, p_session.obligation_id,
                p_session.obligation_minimum, p_session.obligation_survivors
            );
        elsif v_event.verb = 'DECLARE_CONCLUSION' then
            insert into cmbs_store.conclusion (session_id, seq, conclusion_id, is_accepted)
            values (
                p_session.session_id, v_event.seq, v_payload ->> 'conclusion_id',
                (v_payload -> 'accepted')::boolean
            );
        elsif v_before.obligation_seq is not null and p_session.obligation_seq is null then
            insert into cmbs_store.obligation_end (
                session_id, entered_seq, ended_seq, outcome, survivors_at_end
            )
            values (
                p_session.session_id, v_before.obligation_seq, v_event.seq,
                case v_event.verb when 'WAIVE_OBLIGATION' then 'waived' else 'exited' end,
                p_session.n_survivors
            );
        end if;
    end loop;
    return p_session;
end
$$;
