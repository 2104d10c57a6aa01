-- cmbs_store.save_session
--
-- Writes the state of a session, which the caller has locked.

create or replace function cmbs_store.save_session(
    p_session cmbs_store.session
)
returns void
language plpgsql
volatile
as $$
begin
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
end
$$;
