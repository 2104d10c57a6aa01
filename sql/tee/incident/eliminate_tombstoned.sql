-- cmbs_store.eliminate_tombstoned
--
-- Eliminates from a session that was just declared what its incident has ruled out by then, and
-- returns the session. That is its second event, of the source `tee`.

create or replace function cmbs_store.eliminate_tombstoned(
    p_session cmbs_store.session,
    p_caller cmbs_store.principal,
    p_gone text[]
)
returns cmbs_store.session
language plpgsql
volatile
as $$
declare
    v_session cmbs_store.session;
begin
    perform cmbs_store.eliminate_message(
        p_session.session_id, p_caller, 'tee', p_session.universe_from::jsonb ->> 'tee_incident',
        p_gone, '{}', null, null, true
    );
    select s.*
    into strict v_session
    from cmbs_store.session as s
    where s.session_id = p_session.session_id;
    return v_session;
end
$$;
