-- cmbs_store.lock_session
--
-- The session, locked until the end of the transaction.
--
-- Locks      the session row: the first statement of every mutating verb.
-- Raises     MB001 SESSION_NOT_FOUND.

create or replace function cmbs_store.lock_session(
    p_session_id uuid
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
    where s.session_id = p_session_id
    for no key update;
    if not found then
        perform cmbs_store.refuse_session(p_session_id);
    end if;
    return v_session;
end
$$;

comment on function cmbs_store.lock_session(uuid) is
'The session row, locked. Raises MB001.';

revoke all on function cmbs_store.lock_session(uuid) from public;
