-- cmbs_store.declared_session
--
-- The session under an id that a declare found taken, locked. That somebody else uses the id is the
-- one thing that anybody can find out about it.
--
-- Locks      the session row.
-- Raises     MB102 CONFLICT.

create or replace function cmbs_store.declared_session(
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
        perform cmbs_store.refuse(
            'MB102',
            'This session id is taken.',
            json_build_object('session_id', p_session_id)::text,
            'Give a new session its own id.'
        );
    end if;
    return v_session;
end
$$;

comment on function cmbs_store.declared_session(uuid, text) is
'The session that has an id already, locked. Raises MB102.';

revoke all on function cmbs_store.declared_session(uuid, text) from public;
