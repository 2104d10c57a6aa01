-- cmbs_store.has_granted
--
-- Whether a session goes on and has granted something that may still count: a permit, a question or
-- a capability token.

create or replace function cmbs_store.has_granted(
    p_session cmbs_store.session
)
returns boolean
language sql
stable
as $$
    select not p_session.is_terminated and (exists (
        select
        from cmbs_store.permit as p
        where p.session_id = p_session.session_id and p.expires_at > p_session.audit_head_at
    ) or exists (
        select
        from cmbs_store.interrupt as i
        where i.session_id = p_session.session_id and i.expires_at > p_session.audit_head_at
    ) or exists (
        select
        from cmbs_store.capability_token as t
        where t.session_id = p_session.session_id and t.expires_at > p_session.audit_head_at
    ))
$$;
