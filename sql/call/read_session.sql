-- cmbs_store.read_session
--
-- The session, for verbs that only read, if the caller may see it: p_tenant is whose sessions that
-- are, `*` for all.
--
-- Locks      nothing.
-- Raises     MB001 SESSION_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs_store.read_session(
    p_session_id uuid,
    p_tenant text
)
returns cmbs_store.session
language plpgsql
stable
as $$
declare
    v_session cmbs_store.session;
begin
    if p_session_id is null then
        perform cmbs_store.refuse_request('session_id', 'must be a uuid');
    end if;
    select s.*
    into v_session
    from cmbs_store.session as s
    where s.session_id = p_session_id and (s.tenant = p_tenant or p_tenant = '*');
    if not found then
        perform cmbs_store.refuse_missing(
            'session', json_build_object('session_id', p_session_id)
        );
    end if;
    return v_session;
end
$$;
