-- cmbs_store.checked_batch
--
-- The messages of a batch, each checked as ELIMINATE checks its arguments. All of them are looked
-- at together; only if something looks odd they are checked one by one, to find it and name it.
--
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs_store.checked_batch(
    p_session_id uuid,
    p_messages json
)
returns jsonb
language plpgsql
stable
as $$
declare
    v_batch jsonb;
begin
    begin
        -- Parsed JSON takes a hundred times its text if somebody wants it to.
        if octet_length(p_messages::text) <= 8388608 then
            v_batch := p_messages::jsonb;
            if cmbs_store.is_plain_batch(p_session_id, p_messages, v_batch) then
                return v_batch;
            end if;
        end if;
    exception
        when data_exception or feature_not_supported or statement_too_complex
            or sqlstate 'MB201' or sqlstate 'MB203'
        then
            null;
    end;
    perform cmbs_store.check_batch(p_session_id, p_messages);
    return p_messages::jsonb;
end
$$;
