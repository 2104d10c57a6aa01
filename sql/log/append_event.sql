-- cmbs_store.append_event
--
-- Appends one event to the log of a locked session, saves the changed session with the event as
-- its head and returns it; null, and nothing written, if the observation has been recorded before.
--
-- p_session     the session after the change, with the head of before it
-- p_before_hash the survivors hash of before the change
-- p_eliminated  the canonical text of the ids that the event eliminated
-- Locks         nothing: the caller holds the session row.

create or replace function cmbs_store.append_event(
    p_session cmbs_store.session,
    p_before_hash bytea,
    p_verb text,
    p_actor text,
    p_source_id text,
    p_observation_id text,
    p_request_id text,
    p_notes text,
    p_payload text,
    p_eliminated text
)
returns cmbs_store.session
language plpgsql
volatile
as $$
declare
    v_previous_hash bytea := p_session.audit_head_hash;
    v_record text;
begin
    p_session.audit_seq := p_session.audit_seq + 1;
    p_session.audit_head_at := case
        when p_session.audit_seq = 1 then p_session.declared_at
        else greatest(cmbs_store.clock(), p_session.audit_head_at)
    end;
    p_session.audit_head_event_id := cmbs_store.event_id(
        cmbs_store.random_id(), p_session.audit_seq
    );
    v_record := cmbs_store.record_v1(
        p_session.session_id, p_session.audit_seq, p_session.audit_head_event_id,
        p_session.audit_head_at, p_verb, p_actor, p_notes, p_payload, p_eliminated,
        p_before_hash, p_session.survivors_hash, v_previous_hash
    );
    p_session.audit_head_hash := cmbs_store.event_hash_v1(v_record);
    insert into cmbs_store.audit_event (
        session_id, seq, recorded_at, event_id, event_hash, verb, actor,
        source_id, observation_id, request_id, record
    )
    values (
        p_session.session_id, p_session.audit_seq, p_session.audit_head_at,
        p_session.audit_head_event_id, p_session.audit_head_hash, p_verb, p_actor,
        p_source_id, p_observation_id, p_request_id, v_record
    )
    on conflict (session_id, source_id, observation_id) where source_id is not null do nothing;
    if not found then
        return null;
    end if;
    update cmbs_store.session as s
    set
        audit_seq = p_session.audit_seq,
        audit_head_event_id = p_session.audit_head_event_id,
        audit_head_hash = p_session.audit_head_hash,
        audit_head_at = p_session.audit_head_at,
        survivors_hash = p_session.survivors_hash,
        n_survivors = p_session.n_survivors,
        is_terminated = p_session.is_terminated,
        mask = p_session.mask,
        obligation_seq = p_session.obligation_seq,
        obligation_id = p_session.obligation_id,
        obligation_minimum = p_session.obligation_minimum,
        obligation_survivors = p_session.obligation_survivors,
        conclusion_id = p_session.conclusion_id,
        conclusion_run = p_session.conclusion_run
    where s.session_id = p_session.session_id;
    return p_session;
end
$$;
