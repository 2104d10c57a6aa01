-- cmbs_store.interrupt_state
--
-- What has become of a question: pending, approved, declined, cancelled, consumed, superseded,
-- expired, or ended where its session is. As of the event that the session is given as of.

create or replace function cmbs_store.interrupt_state(
    p_session cmbs_store.session,
    p_interrupt cmbs_store.interrupt,
    p_at timestamptz
)
returns text
language sql
stable
as $$
    select case
        when exists (
            select
            from cmbs_store.interrupt_use as u
            where u.session_id = p_session.session_id
                and u.interrupt_id = p_interrupt.interrupt_id
                and u.seq <= p_session.audit_seq
        ) then 'consumed'
        when r.resolution = 'decline' then 'declined'
        when r.resolution = 'cancel' then 'cancelled'
        when p_session.is_terminated then 'ended'
        when cmbs_store.is_superseded(p_session, p_interrupt) then 'superseded'
        when p_at >= p_interrupt.expires_at
            or cmbs_store.clock_was_set_back(p_session, p_interrupt.seq)
            then 'expired'
        when r.resolution = 'approve' then 'approved'
        else 'pending'
    end
    from (select) as o
    left join cmbs_store.interrupt_resolution as r
        on r.session_id = p_session.session_id
            and r.interrupt_id = p_interrupt.interrupt_id
            and r.seq <= p_session.audit_seq
$$;
