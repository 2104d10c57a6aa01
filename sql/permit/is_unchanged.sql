-- cmbs_store.is_unchanged
--
-- Whether nothing happened in a session after an event that the verdict on a call depends on: then
-- it would be the same again. As of the event that the session is given as of.

create or replace function cmbs_store.is_unchanged(
    p_session cmbs_store.session,
    p_seq bigint
)
returns boolean
language sql
stable
as $$
    select (p_session.audit_seq = p_seq or not exists (
        select
        from cmbs_store.audit_event as e
        where e.session_id = p_session.session_id
            and e.seq > p_seq
            and e.seq <= p_session.audit_seq
            and e.verb not in (
                'PROPOSE', 'BEGIN_EXECUTION', 'COMPLETE_EXECUTION', 'RESOLVE_INTERRUPT',
                'TOKEN_ISSUE', 'TOKEN_REVOKE', 'RECORD_CLAIM', 'CONFIRM_CLAIM', 'SWEEP_EXPIRED'
            )
    )) and not exists (
        select
        from cmbs_store.state_delta as d
        where d.session_id = p_session.session_id
            -- The verdict did not read what it committed itself.
            and d.seq >= p_seq
            and d.seq <= p_session.audit_seq
    )
$$;
