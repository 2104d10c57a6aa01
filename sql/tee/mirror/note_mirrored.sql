-- cmbs_store.note_mirrored
--
-- Notes in the outbox that the Tee has to be told of an event of a mirrored session.
--
-- Locks      nothing: the caller holds the session row.

create or replace function cmbs_store.note_mirrored(
    p_session cmbs_store.session,
    p_seq bigint
)
returns void
language plpgsql
volatile
as $$
begin
    insert into cmbs_store.tee_message (
        session_id, seq, tenant, created_at, state, n_attempts, next_at
    )
    values (
        p_session.session_id, p_seq, p_session.tenant, p_session.audit_head_at, 'pending', 0,
        p_session.audit_head_at
    );
end
$$;
