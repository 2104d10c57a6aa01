-- cmbs_store.permit_state
--
-- What has become of a permit: issued, expired, executing, committed or rolled_back; ended where
-- its session is.

create or replace function cmbs_store.permit_state(
    p_session cmbs_store.session,
    p_permit cmbs_store.permit,
    p_at timestamptz
)
returns text
language sql
stable
as $$
    select case
        when e.status is not null then e.status
        when b.seq is not null then 'executing'
        when p_session.is_terminated then 'ended'
        when p_at >= p_permit.expires_at or cmbs_store.clock_was_set_back(p_session, p_permit.seq)
            then 'expired'
        else 'issued'
    end
    from (select) as o
    left join cmbs_store.permit_begin as b
        on b.session_id = p_permit.session_id and b.permit_id = p_permit.permit_id
    left join cmbs_store.permit_end as e
        on e.session_id = p_permit.session_id and e.permit_id = p_permit.permit_id
$$;
