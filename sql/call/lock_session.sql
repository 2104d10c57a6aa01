-- cmbs_store.lock_session
--
-- The session, locked until the end of the transaction, if the caller may see it: p_tenant is whose
-- sessions that are, `*` for all.
--
-- Locks      the session row: the first statement of every mutating verb.
-- Raises     MB001 SESSION_NOT_FOUND.

create or replace function cmbs_store.lock_session(
    p_session_id uuid,
    p_tenant text
)
returns cmbs_store.session
language plpgsql
volatile
as $$
declare
    v_session cmbs_store.session;
begin
    select s.*
    into v_session
    from cmbs_store.session as s
    where s.session_id = p_session_id and (s.tenant = p_tenant or p_tenant = '*')
    for no key update;
    if not found then
        perform cmbs_store.refuse_missing(
            'session', json_build_object('session_id', p_session_id)
        );
    end if;
    return v_session;
end
$$;
