-- cmbs_store.declaring_tenant
--
-- The tenant that a session to be declared belongs to: that of the caller, or, if that sees all of
-- them, that of the session if it is there, whosever it is.

create or replace function cmbs_store.declaring_tenant(
    p_caller cmbs_store.principal,
    p_session_id uuid
)
returns text
language sql
stable
as $$
    select coalesce(max(s.tenant), cmbs_store.own_tenant(p_caller))
    from cmbs_store.session as s
    where s.session_id = p_session_id and p_caller.tenant = '*'
$$;

comment on function cmbs_store.declaring_tenant(cmbs_store.principal, uuid) is
'The tenant that a session to be declared belongs to.';

revoke all on function cmbs_store.declaring_tenant(cmbs_store.principal, uuid) from public;
