-- cmbs_store.permit_fault
--
-- What is wrong with a permit that is to be used, as a reason code; null if nothing is. As of the
-- event that the session is given as of.

create or replace function cmbs_store.permit_fault(
    p_session cmbs_store.session,
    p_permit cmbs_store.permit,
    p_at timestamptz
)
returns text
language sql
stable
as $$
    select case
        when exists (
            select
            from cmbs_store.permit_begin as b
            where b.session_id = p_session.session_id
                and b.permit_id = p_permit.permit_id
                and b.seq <= p_session.audit_seq
        ) then 'PERMIT_USED'
        when p_at >= p_permit.expires_at
            or cmbs_store.clock_was_set_back(p_session, p_permit.seq)
            or exists (
                select
                from cmbs_store.permit_end as e
                where e.session_id = p_session.session_id
                    and e.permit_id = p_permit.permit_id
                    and e.seq <= p_session.audit_seq
            ) then 'PERMIT_EXPIRED'
    end
$$;
