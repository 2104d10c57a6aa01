-- cmbs_store.permit_of
--
-- A permit of a session by its id, as of the event that the session is given as of.
--
-- Raises     MB011 PERMIT_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs_store.permit_of(
    p_session cmbs_store.session,
    p_permit_id uuid
)
returns cmbs_store.permit
language plpgsql
stable
as $$
declare
    v_permit cmbs_store.permit;
begin
    select p.*
    into v_permit
    from cmbs_store.permit as p
    where p.session_id = p_session.session_id
        and p.permit_id = p_permit_id
        and p.seq <= p_session.audit_seq;
    if not found then
        perform cmbs_store.refuse_missing('permit', json_build_object('permit_id', p_permit_id));
    end if;
    return v_permit;
end
$$;
