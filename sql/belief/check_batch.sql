-- cmbs_store.check_batch
--
-- Checks the messages of a batch one by one, in order, and says what is wrong with which.
--
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs_store.check_batch(
    p_session_id uuid,
    p_messages json
)
returns void
language plpgsql
stable
as $$
declare
    v_messages json[];
    v_index integer;
    v_state text;
    v_text text;
    v_detail text;
    v_hint text;
begin
    perform cmbs_store.check_envelope(p_session_id, null, null);
    if json_typeof(p_messages) is distinct from 'array' then
        perform cmbs_store.refuse_request('messages', 'must be a list of ELIMINATE messages');
    end if;
    if octet_length(p_messages::text) > 8388608 then
        perform cmbs_store.refuse_size('messages', '8 MiB of JSON text');
    end if;
    v_messages := array(select json_array_elements(p_messages));
    if cardinality(v_messages) = 0 then
        perform cmbs_store.refuse_request('messages', 'must hold 1 to 1000 messages');
    elsif cardinality(v_messages) > 1000 then
        perform cmbs_store.refuse_size('messages', '1000 messages');
    end if;
    for v_i in 1 .. cardinality(v_messages) loop
        v_index := v_i - 1;
        perform cmbs_store.check_batch_message(p_session_id, v_messages[v_i]);
    end loop;
exception
    when others then
        get stacked diagnostics
            v_state = returned_sqlstate,
            v_text = message_text,
            v_detail = pg_exception_detail,
            v_hint = pg_exception_hint;
        if v_index is null or v_state !~ '^(MB|22|54001|0A000)' then
            raise;
        end if;
        perform cmbs_store.refuse_batch(v_state, v_text, v_detail, v_hint, v_index, null);
end
$$;
