-- cmbs_store.append_proposal
--
-- Decides on a proposal in a locked session, appends its event and writes what follows from it.
--
-- p_given     what the verdict is given, the proposal among it
-- Locks       nothing: the caller holds the session row.

create or replace function cmbs_store.append_proposal(
    inout p_session cmbs_store.session,
    p_actor text,
    p_given cmbs_store.verdict_input,
    p_notes text,
    out p_payload jsonb
)
returns record
language plpgsql
volatile
as $$
begin
    perform cmbs_store.check_isolation();
    p_payload := cmbs_store.input_json(p_given)
        || cmbs_store.decide_with_shadow(p_session, p_actor, p_given, null);
    if p_payload -> 'reads' ? 'fact.belief.n_survivors_independent' then
        perform cmbs_store.count_claimants(p_session);
    end if;
    -- Recorded no earlier than it was decided, whatever the clock did in between.
    p_session.audit_head_at := p_given.decided_at::timestamptz;
    p_session := cmbs_store.append_event(
        p_session, p_session.survivors_hash, 'PROPOSE', p_actor,
        null, null, p_given.request_id, p_notes, p_payload::text, '[]'
    );
    perform cmbs_store.project_event(
        p_session.session_id, p_session.audit_seq, p_actor, 'PROPOSE', p_payload
    );
end
$$;
