-- cmbs_store.check_envelope
--
-- Checks what every mutating verb takes besides its own members.
--
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs_store.check_envelope(
    p_session_id uuid,
    p_request_id text,
    p_notes text
)
returns void
language plpgsql
stable
as $$
begin
    if p_session_id is null then
        perform cmbs_store.refuse_request('session_id', 'must be a uuid');
    end if;
    if p_request_id is not null then
        perform cmbs_store.check_id('request_id', p_request_id);
    end if;
    if octet_length(p_notes) > 4096 then
        perform cmbs_store.refuse_size('notes', '4 KiB');
    end if;
end
$$;
