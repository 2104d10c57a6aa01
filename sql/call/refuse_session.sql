-- cmbs_store.refuse_session
--
-- Ends the call: the session does not exist.
--
-- Raises     MB001 SESSION_NOT_FOUND, always.

create or replace function cmbs_store.refuse_session(
    p_session_id uuid
)
returns void
language plpgsql
volatile
as $$
begin
    perform cmbs_store.refuse(
        'MB001',
        'There is no such session.',
        json_build_object('session_id', p_session_id)::text,
        'Declare it first, or check the id.'
    );
end
$$;

comment on function cmbs_store.refuse_session(uuid) is
'End the call: the session does not exist. Raises MB001.';

revoke all on function cmbs_store.refuse_session(uuid) from public;
