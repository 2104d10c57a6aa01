-- cmbs_store.batch_messages
--
-- The messages of a batch, one by one.
--
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs_store.batch_messages(
    p_session_id uuid,
    p_messages json
)
returns json[]
language plpgsql
stable
as $$
declare
    v_messages json[];
begin
    perform cmbs_store.check_envelope(p_session_id, null, null);
    if json_typeof(p_messages) is distinct from 'array' then
        perform cmbs_store.refuse_request('messages', 'must be a list of ELIMINATE messages');
    end if;
    -- Parsed JSON takes a hundred times its text if somebody wants it to.
    if octet_length(p_messages::text) > 8388608 then
        perform cmbs_store.refuse_size('messages', '8 MiB of JSON text');
    end if;
    v_messages := array(select json_array_elements(p_messages));
    if cardinality(v_messages) = 0 then
        perform cmbs_store.refuse_request('messages', 'must hold 1 to 1000 messages');
    elsif cardinality(v_messages) > 1000 then
        perform cmbs_store.refuse_size('messages', '1000 messages');
    end if;
    return v_messages;
end
$$;

comment on function cmbs_store.batch_messages(uuid, json) is
'The messages of a batch, one by one. Raises MB201, MB203.';

revoke all on function cmbs_store.batch_messages(uuid, json) from public;
