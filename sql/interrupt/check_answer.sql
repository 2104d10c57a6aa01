-- cmbs_store.check_answer
--
-- Refuses an answer to a question that is none.
--
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs_store.check_answer(
    p_resolution text,
    p_comment text
)
returns void
language plpgsql
stable
as $$
begin
    if p_resolution is null or p_resolution not in ('approve', 'decline', 'cancel') then
        perform cmbs_store.refuse_request('resolution', 'must be approve, decline or cancel');
    elsif octet_length(p_comment) > 4096 then
        perform cmbs_store.refuse_size('comment', '4 KiB');
    end if;
end
$$;
